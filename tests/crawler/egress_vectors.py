"""What hostile pages try in order to reach a private address, for ``egress_world``.

Every way to connect has a second octet pair of its own, and every spelling of an address a last
octet: so the address that is dialled names both. Each page exists twice: for *bait*, which is
private, and for its *twins*, public addresses that are spelled and reached in just the same way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple

ZONE: Final = "world.test"
"""The domain of the names that ``egress_world`` resolves; see ``addresses_of``."""
START: Final = "start." + ZONE
SECURE: Final = "secure." + ZONE
"""Where the pages that come by TLS are."""
SIDES: Final = ("bait", "twin")
_NETWORKS: Final = {"bait": "10.66", "twin": "93.184"}
_OPEN_IPV6: Final = IPv6Address("2606:2800::1")
_PLACES: Final = 65_536
NAT64: Final = int(IPv6Address("64:ff9b::"))
SIX_TO_FOUR: Final = int(IPv6Address("2002::"))

Spelling = Callable[[IPv4Address], str]


def place(side: str, way: int, spelling: int) -> IPv4Address:
    """The address that a spelling in a way to connect leads to."""
    return IPv4Address(f"{_NETWORKS[side]}.{way}.{spelling}")


def is_open(address: str) -> bool:
    """Whether an address is one of the public ones of this world; all others are private."""
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        number = int(ip)
        inner = ip.ipv4_mapped or ip.sixtofour
        if number >> 32 == NAT64 >> 32:
            inner = IPv4Address(number & 0xFFFFFFFF)
        return is_open(str(inner)) if inner else ip == _OPEN_IPV6
    return str(ip).startswith(_NETWORKS["twin"] + ".")


def addresses_of(name: str, asked_before: int) -> list[str]:
    """The addresses of a name in this world, when it was asked for so many times before.

    ``at-10-66-1-2`` has that address; ``six-…`` it as a mapped one; ``both-…`` also its public
    twin; ``rebind-…`` the twin at first, and the address ever after.
    """
    kind, *octets = name.removesuffix("." + ZONE).split("-")
    if name in (START, SECURE) or octets in (["files"], ["robots"]):
        return [str(place("twin", 0, 1))]
    if len(octets) != 4:
        # Whoever is asked for any other name gives it away.
        return [str(place("bait", 255, 255))]
    address = ".".join(octets)
    twin = ".".join([_NETWORKS["twin"], *octets[2:]])
    return {
        "six": [f"::ffff:{address}"],
        "both": [address, twin],
        "rebind": [address if asked_before else twin],
    }.get(kind, [address])


def _name(kind: str) -> Spelling:
    return lambda ip: f"{kind}-{str(ip).replace('.', '-')}.{ZONE}"


def _redirect(ip: IPv4Address) -> str:
    """A public address that redirects to it."""
    return f"{place('twin', 0, 2)}/to/{ip}"


def _octets(form: str) -> Spelling:
    return lambda ip: ".".join(format(octet, form) for octet in ip.packed)


def _wide(ip: IPv4Address) -> str:
    """In full-width digits, which browsers map to others."""
    return "".join(chr(ord(one) + 0xFEE0) for one in str(ip))


# A host, and perhaps the beginning of a path, for an address.
SPELLINGS: Final[dict[str, Spelling]] = {
    "plain": str,
    "name": _name("at"),
    "rebinding name": _name("rebind"),
    "rebinding name, again": _name("rebind"),
    "redirect": _redirect,
    "redirect to a name": lambda ip: f"{place('twin', 0, 2)}/to/{_name('at')(ip)}",
    "name of both": _name("both"),
    "name of a mapped address": _name("six"),
    "integer": lambda ip: str(int(ip)),
    "hexadecimal": lambda ip: hex(int(ip)),
    "octal": lambda ip: f"0{int(ip):o}",
    "hexadecimal octets": _octets("#x"),
    "octal octets": _octets("04o"),
    "short": lambda ip: f"{ip.packed[0]}.{int(ip) & 0xFFFFFF}",
    "trailing dot": lambda ip: f"{ip}.",
    "percent-encoded": lambda ip: "".join(f"%{ord(one):x}" for one in str(ip)),
    "full width": _wide,
    "ideographic full stops": lambda ip: str(ip).replace(".", "\u3002"),
    "mapped": lambda ip: f"[::ffff:{ip}]",
    "mapped, in hexadecimal": lambda ip: f"[::ffff:{int(ip) >> 16:x}:{int(ip) & 0xFFFF:x}]",
    "NAT64": lambda ip: f"[{IPv6Address(NAT64 + int(ip))}]",
    "6to4": lambda ip: f"[{IPv6Address(SIX_TO_FOUR + (int(ip) << 80))}]",
}
# What every way to connect is tried with; one of them with all.
FEW: Final = tuple(SPELLINGS)[:5]
# Private addresses of other kinds, which have no twins.
OTHERS: Final = (
    *("127.0.0.1", "127.1", "2130706433", "localhost", "a.localhost", "localhost.", "0.0.0.0", "0"),  # noqa: S104
    *("[::1]", "[::]", "[::ffff:7f00:1]", "169.254.169.254", "metadata.google.internal"),
    *("100.100.100.200", "168.63.129.16", "172.16.0.1", "192.168.1.1", "198.18.0.1", "192.0.0.192"),
    *("[fd00:ec2::254]", "[fe80::1]", "[fec0::1]", "[2001:db8::1]", "224.0.0.1", "255.255.255.255"),
    *("ads.doubleclick.net", "10.66.254.1"),
)


class Way(NamedTuple):
    """A way to connect.

    html: what a page does to the addresses, which are without a scheme, or to the one in ``x``.
    is_open: whether our browser does it at all, to public addresses.
    moves: whether the page goes there, so that it can be tried only once.
    follows: whether it is redirected, at ``port``, where it connects to.
    is_secure: whether only pages that came by TLS can do it.
    """

    html: str
    is_open: bool = True
    moves: bool = False
    follows: bool = True
    port: int = 80
    is_secure: bool = False


def _each(code: str) -> str:
    return f"<script>for (const x of places) try {{ {code} }} catch {{}}</script>"


def _element(tag: str, **values: str) -> str:
    attributes = "".join(f"e.setAttribute('{name}', {value});" for name, value in values.items())
    return _each(f"const e = document.createElement('{tag}'); {attributes} document.body.append(e)")


def _worker(code: str) -> str:
    inner = json.dumps(code)
    text = f"'const x = ' + JSON.stringify(x) + ';' + {inner}"
    return _each(f"new Worker(URL.createObjectURL(new Blob([{text}])))")


_FETCH: Final = "fetch('http://' + x, {mode: 'no-cors'}).catch(() => 0)"
_URL: Final = "'http://' + x"
_STUN: Final = "const c = new RTCPeerConnection({iceServers: [{urls: 'stun:' + h + ':80'}]});"
_TURN: Final = (
    "const c = new RTCPeerConnection({iceServers: [{username: 'a', credential: 'b',"
    " urls: 'turn:' + h + ':80?transport=tcp'}]});"
)
_OFFER: Final = "c.createDataChannel('d'); c.createOffer().then((o) => c.setLocalDescription(o));"
_HOST: Final = "const h = x.split('/')[0];"

WAYS: Final[dict[str, Way]] = {
    "fetch": Way(_each(_FETCH)),
    "XHR": Way(_each("const r = new XMLHttpRequest(); r.open('GET', 'http://' + x); r.send()")),
    "blocking XHR": Way(
        _each("const r = new XMLHttpRequest(); r.open('GET', 'http://' + x, false); r.send()")
    ),
    "WebSocket": Way(_each("new WebSocket('ws://' + x)"), follows=False),
    "EventSource": Way(_each(f"new EventSource({_URL})")),
    "beacon": Way(_each(f"navigator.sendBeacon({_URL}, 'a')")),
    "ping": Way(
        _each(
            "const a = document.createElement('a'); a.href = '#a'; a.ping = 'http://' + x;"
            "document.body.append(a); a.click()"
        )
    ),
    "image": Way(_element("img", src=_URL)),
    "image set": Way(_element("img", srcset=_URL)),
    "script": Way(_element("script", src=_URL)),
    "module": Way(_each(f"import({_URL}).catch(() => 0)")),
    "frame": Way(_element("iframe", src=_URL)),
    "object": Way(_element("object", data=_URL)),
    "embed": Way(_element("embed", src=_URL)),
    "video": Way(_element("video", src=_URL, autoplay="''"), is_open=False),
    "poster": Way(_element("video", poster=_URL)),
    "style sheet": Way(_element("link", rel="'stylesheet'", href=_URL)),
    "icon": Way(_element("link", rel="'icon'", href=_URL), is_open=False),
    "preload": Way(_element("link", rel="'preload'", href=_URL, **{"as": "'script'"})),
    "prefetch": Way(_element("link", rel="'prefetch'", href=_URL)),
    "preconnect": Way(_element("link", rel="'preconnect'", href=_URL), is_open=False),
    "CSS": Way(
        _each(
            "const e = document.createElement('style');"
            f"e.textContent = '@import url(' + {_URL} + '/import);"
            f" body {{background-image: url(' + {_URL} + '/picture)}}'; document.body.append(e)"
        )
    ),
    "font": Way(
        _each(f"const f = new FontFace('f', 'url(' + {_URL} + ')'); f.load().catch(() => 0)"),
        is_open=False,
    ),
    "worker": Way(_worker(_FETCH)),
    "import in a worker": Way(_worker("importScripts('http://' + x)")),
    "socket in a worker": Way(_worker("new WebSocket('ws://' + x)"), follows=False),
    "shared worker": Way(
        _each(
            "new SharedWorker(URL.createObjectURL(new Blob(["
            f"'const x = ' + JSON.stringify(x) + ';' + {json.dumps(_FETCH)}])))"
        )
    ),
    "STUN": Way(_each(_HOST + _STUN + _OFFER), is_open=False),
    "TURN": Way(_each(_HOST + _TURN + _OFFER), follows=False),
    "speculation rules": Way(
        _each(
            "const e = document.createElement('script'); e.type = 'speculationrules';"
            "e.textContent = JSON.stringify({prefetch: [{urls: ['https://' + x], eagerness:"
            " 'immediate'}], prerender: [{urls: ['https://' + x]}]}); document.head.append(e)"
        ),
        is_open=False,
        port=443,
    ),
    "form in a frame": Way(
        _each(
            "const f = document.createElement('iframe'); f.name = 'f' + Math.random();"
            "document.body.append(f); const e = document.createElement('form');"
            "e.action = 'http://' + x; e.target = f.name; document.body.append(e); e.submit()"
        )
    ),
    "meta refresh": Way('<meta http-equiv="refresh" content="0; url=http://{x}">', moves=True),
    "location": Way("<script>location = 'http://{x}'</script>", moves=True),
    "form": Way(
        "<form action='http://{x}/form'></form><script>document.forms[0].submit()</script>",
        moves=True,
    ),
    "window.open": Way(_each("open('http://' + x)"), is_open=False),
    "service worker": Way(
        "<script>navigator.serviceWorker.register('/worker.js?' + encodeURIComponent("
        "JSON.stringify(places)))</script>",
        is_open=False,
        is_secure=True,
        port=443,
    ),
    "WebTransport": Way(
        _each(_HOST + "new WebTransport('https://' + h + ':443').closed.catch(() => 0)"),
        is_open=False,
        is_secure=True,
        port=443,
    ),
    "secure WebSocket": Way(
        _each("new WebSocket('wss://' + x)"), is_secure=True, follows=False, port=443
    ),
    "https": Way(
        _each("fetch('https://' + x, {mode: 'no-cors'}).catch(() => 0)"), follows=False, port=443
    ),
}


# What Chromium does not do without windows, with or without our guard.
NEVER: Final = {"icon", "preconnect"}


def dialled(spelling: str, ip: IPv4Address, port: int = 80) -> str:
    """How ``egress_world`` notes a connection."""
    number = int(ip)
    forms = {
        "NAT64": IPv6Address(NAT64 + number),
        "6to4": IPv6Address(SIX_TO_FOUR + (number << 80)),
    }
    return f"{forms.get(spelling, ip)} {port}"


def number_of(way: str) -> int:
    """Its octet; the first are the start's and the crawler's own."""
    return list(WAYS).index(way) + 10


def targets(way: str, side: str) -> dict[str, str]:
    """By spelling, where a way to connect leads; the way is in the path, too."""
    spellings = SPELLINGS if way == "fetch" else FEW
    return {name: SPELLINGS[name](_place(side, number_of(way), name)) for name in spellings}


def places(way: str, side: str) -> dict[str, str]:
    """The same as ``egress_world`` notes them, without redirects that are not followed."""
    kind = WAYS[way]
    return {
        name: dialled(name, _place(side, number_of(way), name), kind.port)
        for name in targets(way, side)
        if kind.follows or "redirect" not in name
    }


def bait_left(dialled: Mapping[str, int]) -> set[str]:
    """The ways in which no private address was reached."""
    return {way for way in WAYS if dialled.keys().isdisjoint(places(way, "bait").values())}


def _place(side: str, way: int, spelling: str) -> IPv4Address:
    return place(side, way, list(SPELLINGS).index(spelling))


def crawler_pages() -> dict[str, str]:
    """What is tried on the crawler itself: texts by URL.

    Those that begin with ``http`` are redirects.
    """
    links = list(pages())
    robots = ["User-agent: *"]
    found = {}
    for side in SIDES:
        links += [f"http://{target}/link" for target in link_targets(side).values()]
        host = f"{side}-files.{ZONE}"
        links.append(f"http://{host}/")
        named = file_targets(side)
        robots += [
            f"Sitemap: http://{named['sitemap']}/sitemap.xml",
            f"License: http://{named['licence']}/licence.xml",
        ]
        for path in ("/.well-known/tdmrep.json", "/ai.txt"):
            found[f"http://{host}{path}"] = f"http://{named[path]}{path}"
        found[f"http://{host}/"] = _page("")
        host = f"{side}-robots.{ZONE}"
        links.append(f"http://{host}/")
        found[f"http://{host}/robots.txt"] = f"http://{named['/robots.txt']}/robots.txt"
    links += [f"http://{host}/link" for host in OTHERS]
    anchors = "".join(f'<a href="{link}">there</a> ' for link in links)
    start = f"http://{START}/"
    return {start: _page(anchors), f"{start}robots.txt": "\n".join(robots), **found}


def link_targets(side: str) -> dict[str, str]:
    """By spelling, where the links of the start page lead."""
    return {name: spelled(_place(side, 1, name)) for name, spelled in SPELLINGS.items()}


def link_places(side: str) -> dict[str, str]:
    """The same as ``egress_world`` notes them."""
    return {name: dialled(name, _place(side, 1, name)) for name in SPELLINGS}


def file_targets(side: str) -> dict[str, str]:
    """Where files of hosts lead."""
    names = ("sitemap", "licence", "/robots.txt", "/.well-known/tdmrep.json", "/ai.txt")
    return {name: str(place(side, 2, number)) for number, name in enumerate(names)}


def pages() -> dict[str, str]:
    """By URL, the hostile pages."""
    found = {}
    for side in SIDES:
        parts: dict[str, list[str]] = {"http": [], "https": []}
        for name, way in WAYS.items():
            here = targets(name, side)
            if way.moves:
                for spelling, target in here.items():
                    path = f"/{side}/{number_of(name)}/{spelling.replace(' ', '-')}"
                    found[f"http://{START}{path}"] = _page(way.html.replace("{x}", target))
            else:
                places = json.dumps(list(here.values()))
                part = f"<script>places = {places}</script>{way.html}"
                parts["https" if way.is_secure else "http"].append(part)
        for scheme, ways in parts.items():
            html = _page(_RESTLESS + "<script>let places</script>" + "".join(ways))
            host = SECURE if scheme == "https" else START
            found[f"{scheme}://{host}/{side}"] = html
    places = json.dumps(OTHERS)
    html = _page(f"<script>const places = {places}</script>{_each(_FETCH)}")
    found[f"http://{START}/others"] = html
    return found


# Never settles, so that workers have time to start.
_RESTLESS: Final = "<script>setInterval(() => document.title += '.', 50)</script>"
SERVICE_WORKER: Final = f"""
for (const x of JSON.parse(decodeURIComponent(location.search.slice(1))))
    {_FETCH.replace("http:", "https:")};
"""


def _page(body: str) -> str:
    text = "A page with some words in it. " * 20
    return f"<!doctype html><meta charset=utf-8><title>Page</title><body><p>{text}</p>{body}"
