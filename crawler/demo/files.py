"""Non-HTML files: a one-page PDF, with and without the right extension."""

from __future__ import annotations

from typing import Final


def _pdf(line: str) -> bytes:
    """A valid PDF 1.4 of one page with one line of text."""
    drawing = f"BT /F1 24 Tf 72 720 Td ({line}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(drawing), drawing),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body, offsets = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj%s endobj\n" % (number, content)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    body += b"trailer<</Size %d/Root 1 0 R>>\n" % (len(objects) + 1)
    return bytes(body + b"startxref\n%d\n%%%%EOF\n" % start)


FILES: Final[dict[str, tuple[str, bytes]]] = {
    "/files/harbour-map.pdf": ("application/pdf", _pdf("Map of the harbour")),
    "/files/almanac": ("application/pdf", _pdf("The almanac for this year")),
}
