"""What kind of page is it? Read from the screenshot by a ResNet V2, from the HTML, or from both."""
