"""The screenshot network: ResNet V2 as TF-Slim defines it, its weights, and its classifier."""
