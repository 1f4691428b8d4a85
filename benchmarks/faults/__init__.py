"""The real crawler killed, cut off and lied to; afterwards every URL is accounted for."""
