"""What naming a page's genre costs, from the picture and from the HTML."""
