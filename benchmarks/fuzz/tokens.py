"""What the formats are made of, as words apart by spaces, with the escapes of Python's bytes."""

from __future__ import annotations

from typing import Final


def _tokens(text: str) -> tuple[bytes, ...]:
    r"""The words as bytes.

    >>> _tokens(r"<a\x20href=  \r\n")
    (b'<a href=', b'\r\n')
    """
    return tuple(word.encode().decode("unicode_escape").encode("latin-1") for word in text.split())


HTML: Final = _tokens(r"""
    <div> </div> <p> </p> <b> </b> <i> <a> </a> <a\x20href=' <table> <tr> <td> </table> <select>
    <option> <form> <svg> <math> <mi> <foreignObject> <template> </template> <noscript> </noscript>
    <title> </title> <textarea> <script> </script> <style> <!-- --> <![CDATA[ ]]> <!doctype\x20html>
    <plaintext> <iframe> <frameset> <body> </body> <head> </html> <base\x20href='//[ <h1> <li> <ul>
    <pre> <code> <button> <ruby> <rt> <img\x20src= <meta\x20charset=utf-16> <meta\x20name=
    <meta\x20http-equiv=refresh\x20content='0;url= <link\x20rel=canonical\x20href=
    <script\x20type=application/ld+json>{"@type": <time\x20datetime= \x20hidden \x20class=' \x20id="
    \x20style='display:none' \x20itemprop= \x20rel=nofollow & &amp; &#x10ffff; &#xd800; &nbsp < > '
    " / = Words\x20of\x20a\x20text.\x20 12\x20January\x202024 By\x20John\x20Doe 汉字 שלום
""")
HEAD: Final = _tokens(r"""
    HTTP/1.1\x20200\x20OK\r\n HTTP/1.1\x20 HTTP/1.0\x20301\x20Moved\r\n \r\n \r\n\r\n :\x20 ;\x20
    Content-Length:\x20 Transfer-Encoding:\x20chunked\r\n Content-Encoding:\x20gzip\r\n
    Location:\x20
    Content-Type:\x20text/html;\x20charset= Retry-After:\x20 Set-Cookie:\x20a=b\r\n Age:\x20
    Cache-Control:\x20max-age= no-store Expires:\x20 Date:\x20 ETag:\x20W/" Last-Modified:\x20
    X-Robots-Tag:\x20 unavailable_after:\x20 noai,\x20noimageai none Content-Usage:\x20train-ai=n
    tdm-reservation:\x201 Link:\x20< >;\x20rel=license Thu,\x2001\x20Jan\x201970\x2000:00:00\x20GMT
    Fri,\x2031\x20Dec\x209999\x2023:59:59\x20-2359 0\r\n\r\n 5;a\r\n Refresh:\x200;\x20url=
    Content-Disposition:\x20attachment HTTP/1.1\x20100\x20Continue\r\n\r\n
""")
URL: Final = _tokens(r"""
    http:// https: // \\\\ @ : [ ] ::1 ? # &a=b % %2e%2e/ .. /./ xn-- xn--a- ü 。 ß ; utm_source=a
    :99999 :0x50 \x20 . - _ jsessionid=1 0x7f.1 %zz
""")
ROBOTS: Final = _tokens(r"""
    User-agent:\x20*\n User-agent:\x20GPTBot\n User-agent:\x20genre-crawler/1.0\n Disallow:\x20
    Allow:\x20 Crawl-delay:\x20 Sitemap:\x20http://a.test/s.xml\n License:\x20 * $ # / ? \n : %
    Content-Signal:\x20ai-train=no\n Content-Usage:\x20train-ai=n\n user\x20agent\x20 Host:\x20a\n
    Request-rate:\x201/10s\x200900-1700\n Visit-time:\x200900-1700\n
""")
XML: Final = _tokens(r"""
    <?xml\x20version='1.0'\x20encoding=' ?> <urlset> </urlset> <url> </url> <loc> </loc> <lastmod>
    <sitemapindex> <sitemap> <rss> <channel> <item> <link> <guid\x20isPermaLink='false'> <pubDate>
    <feed> <entry> <link\x20href=' \x20xml:base='http://[ <!DOCTYPE\x20a\x20[<!ENTITY\x20b\x20'c'>]>
    &b; &nbsp; & <![CDATA[ ]]> <!-- --> <rsl> <content\x20url=' <license> ai-train
    <permits\x20type='usage'> <payment\x20type='free'/> <prohibits\x20type='usage'>
    \x20xmlns:a='b' <a:b>
""")
CONSENT: Final = _tokens(r"""
    noindex noai bot:\x20 GPTBot:\x20none unavailable_after:\x20
    25\x20Jun\x202010\x2015:00:00\x20PST
    train-ai=n search=y train-ai;a=1=n ( ) ?1 :aGk=: " \\ ,\x20 Disallow:\x20*.txt User-agent:\x20*
    <http://a.test/l.xml>;\x20rel="license";\x20type="application/rsl+xml" \n = ; *
    https://creativecommons.org/licenses/by-nc-nd/4.0/
""")
JSON: Final = _tokens(r"""
    { } [ ] : , " null true 1.5 -1 "id" "location" "tdm-reservation" "tdm-policy" "kind" "level"
    "via"
    "redirects" \\u0000 \\ud800 "host" "version" "writer" "shards" 1e999 "" [[[[[[[[
""")
WARC: Final = _tokens(r"""
    WARC/1.0\r\n WARC/1.1\r\n WARC-Type:\x20response\r\n WARC-Type:\x20conversion\r\n WARC/ :\x20
    Content-Length:\x20 WARC-Target-URI:\x20 WARC-Date:\x20 \r\n\r\n \x1f\x8b\x08 \r\n
    \x28\xb5\x2f\xfd
    Content-Encoding:\x20br\r\n Transfer-Encoding:\x20chunked\r\n 5\r\n HTTP/1.1\x20200\x20OK\r\n
    Content-Encoding:\x20gzip,\x20zstd,\x20deflate\r\n
""")
SHARD: Final = _tokens(r"\x28\xb5\x2f\xfd \x50\x2a\x4d\x18\x04\0\0\0abcd \n")
TOML: Final = _tokens(r"""
    [seeds]\n [scope]\n [politeness]\n [limits]\n [recrawl]\n [schedule]\n [[steps]]\n \x20=\x20 " '
    use\x20=\x20"select"\n [ ] { } \n # urls\x20=\x20["http://a.test/"]\n
    include\x20=\x20['(a+)+']\n
    delay\x20=\x20"1e400s"\n cron\x20=\x20' delay\x20=\x20 nan inf 1979-05-27T07:32:00Z true "5min"
    "10\x20MB" [[ . "\x22" name\x20=\x20 every\x20=\x20 \\u0000
    quiet_hours\x20=\x20['*\x2008:00-18:00\x20Europe/Berlin']\n
""")
