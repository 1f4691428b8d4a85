"""Tests for persons, questions for consent and logins; and pages that have them beside content."""

from __future__ import annotations

import pytest

from corpus_commons.empty_pages import emptiness
from corpus_commons.markup import parse

ARTICLE = "<article><h1>The storm</h1>" + (
    "<p>On Monday the wind took the roof of the station, and the trains stood still until night. "
    "Nobody was hurt, said the mayor, who had spent the day among the passengers.</p>" * 4
)
FORM = (
    "<form><label>Name <input name=user></label> <label>Password <input type=password></label>"
    "<button>Go</button></form>"
)


def reason(html: str, *, rendered: bool = False) -> str | None:
    found = emptiness(parse(html), rendered=rendered)
    assert found is None or not found.rendering_helps
    return found.reason if found else None


@pytest.mark.parametrize(
    "html",
    [
        "<title>Just a moment...</title><noscript>Enable JavaScript and cookies to continue"
        "</noscript><script>window._cf_chl_opt = {};</script>",
        "<title>Attention Required!</title><h2>Please complete the security check</h2>"
        "<div class=g-recaptcha></div>",
        "<title>acme.example</title><p>Please verify that you are a human by completing the task.",
        "<title>Access to this page has been denied</title><div id=px-captcha></div>",
        "<body><script src=https://ct.captcha-delivery.com/c.js></script>",
        "<iframe src=/_Incapsula_Resource?x=1>Request unsuccessful</iframe>",
        "<p>Bitte bestätigen Sie, dass Sie ein Mensch sind.",
        "<p>Confirmez que vous n’êtes pas un robot.",
        "<p>Confirma que no eres un robot.",
        "<p>Confirme que você não é um robô.",
        "<p>Conferma di non essere un robot: «Non sono un robot».",
        "<p>Bevestig dat je een mens bent.",
        "<p>Potwierdź, że nie jesteś robotem.",
        "<p>Подтвердите, что вы не робот.",
        "<title>安全验证</title><p>请完成验证后继续访问",
        "<p>私はロボットではありません",
    ],
)
def test_tests_for_persons(html: str) -> None:
    assert reason(html) == "captcha"


def test_a_page_that_a_challenge_protects_is_no_challenge() -> None:
    script = "<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>"
    assert reason(ARTICLE[:300] + script) is None


def test_a_form_with_a_test_for_persons_is_no_challenge() -> None:
    form = "<form><textarea name=message></textarea><div class=g-recaptcha></div></form>"
    assert reason("<h1>Contact</h1><p>Write to us. I am not a robot:" + form) is None


def test_an_article_about_captchas_is_a_page() -> None:
    text = "<p>To verify that you are human, the machine shows you letters that it cannot read.</p>"
    assert reason("<title>Captcha</title><h1>Captcha</h1>" + text * 12) is None


@pytest.mark.parametrize(
    "html",
    [
        f"<title>Log in</title>{FORM}",
        f"<title>Acme</title><h1>Sign in to continue</h1>{FORM}",
        f"<h1>Anmelden</h1>{FORM}",
        f"<h1>Connexion</h1>{FORM}",
        f"<h1>Iniciar sesión</h1>{FORM}",
        f"<h1>Fazer login</h1>{FORM}",
        f"<h1>Accedi</h1>{FORM}",
        f"<h1>Inloggen</h1>{FORM}",
        f"<h1>Zaloguj się</h1>{FORM}",
        f"<h1>Вход в систему</h1>{FORM}",
        f"<h1>用户登录</h1>{FORM}",
        f"<h1>ログイン</h1>{FORM}",
        f"<title>Acme</title><h1>Acme</h1>{FORM}",
        f"<title>Forum</title><p>You must be logged in to see this thread.{FORM}",
        "<title>Forum</title><p>You must be logged in to see this thread.",
    ],
)
def test_logins(html: str) -> None:
    assert reason(html) == "login-wall"


@pytest.mark.parametrize(
    "html",
    [
        f"<header>{FORM}</header>{ARTICLE}",
        f"<title>Acme</title>{FORM}<h1>Opening hours</h1><p>Tuesday to Sunday, ten to six; on "
        "Mondays for schools that have asked before.",
        f"{ARTICLE}<p>You must be logged in to post a comment.",
        "<h1>A photo of the storm</h1><p>The roof of the station, on the morning after, seen from "
        "the bridge over the river. <p>You must be logged in to post a comment.",
    ],
)
def test_a_login_beside_content_is_none(html: str) -> None:
    assert reason(html) is None


def wall(text: str, accept: str, before: str = "") -> str:
    box = f"<div class=box><p>{text}</p><button>?</button> <button>{accept}</button></div>"
    return f"<title>Acme</title>{before}{box}"


WALLS = [
    ("We and our partners use cookies and personal data to show you advertising. You can agree or "
     "change your privacy settings at any time.", "Accept all"),
    ("Wir und unsere Partner verwenden Cookies und ähnliche Techniken. Mit Ihrer Einwilligung "
     "erheben wir Daten; siehe unsere Hinweise zum Datenschutz.", "Alle akzeptieren"),
    ("Nous utilisons des cookies et des traceurs avec nos partenaires, pour mesurer l’audience et "
     "respecter votre vie privée.", "Tout accepter"),
    ("Utilizamos cookies propias y de terceros para mejorar. Puede dar su consentimiento o leer "
     "nuestra política de privacidad.", "Aceptar todo"),
    ("Usamos cookies para melhorar a sua experiência, com os nossos parceiros. Leia a política de "
     "privacidade antes de continuar.", "Aceitar tudo"),
    ("Noi e i nostri fornitori usiamo i cookie con il tuo consenso, come spiega la nostra "
     "informativa sulla privacy, per gli annunci.", "Accetta tutto"),
    ("Wij gebruiken cookies om onze site te verbeteren en advertenties te tonen. Lees meer over "
     "uw privacy in onze verklaring.", "Alles accepteren"),
    ("Używamy plików cookies, aby zapewnić działanie serwisu. Możesz wyrazić zgodę lub zmienić "
     "ustawienia prywatności w każdej chwili.", "Akceptuję"),
    ("Мы используем файлы cookie и обработку персональных данных для улучшения сайта. Продолжая, "
     "вы соглашаетесь с этим на всех страницах.", "Принять все"),
    ("我们使用cookie和类似技术来改进网站，请阅读我们的隐私政策。", "全部接受"),
    ("当サイトはクッキーを使用します。プライバシーポリシーをお読みください。", "同意する"),
    ("We use cookies and data to maintain our services, to track outages, and to protect against "
     "spam, fraud and abuse, and to understand how what we offer is used and what it lacks.",
     "Accept all"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "accept"), WALLS)
def test_a_page_that_is_a_question_for_consent_has_no_content(text: str, accept: str) -> None:
    assert reason(wall(text, accept)) == "consent-wall"
    assert reason(wall(text, accept), rendered=True) == "consent-wall"


@pytest.mark.parametrize(("text", "accept"), WALLS)
def test_a_question_for_consent_over_an_article_is_no_wall(text: str, accept: str) -> None:
    assert reason(wall(text, accept, ARTICLE)) is None


def test_an_article_about_cookies_is_a_page() -> None:
    text = (
        "<p>Cookies are small files in which sites note who you are. Consent to cookies is due.</p>"
    )
    banner = wall("We use cookies for advertising; read our privacy notice before you go on to the "
                  "site.", "Accept")  # fmt: skip
    assert reason(f"<h1>Cookies</h1>{text * 6}{banner}") is None


BARS = [
    "This website uses cookies. <a role=button>Accept</a>",
    "This site uses cookies. <a href=/privacy>Privacy policy</a> <button>I agree</button>",
    "Diese Seite verwendet Cookies. <button>Akzeptieren</button>",
    "Ce site utilise des cookies. <button>Accepter</button>",
]


@pytest.mark.parametrize("bar", BARS)
@pytest.mark.parametrize("paragraphs", [1, 2, 6])
def test_a_small_bar_under_a_short_page_is_no_wall(bar: str, paragraphs: int) -> None:
    text = (
        "<p>The boats were built of oak and larch by men who knew how the sea works, and who "
        "had learned it from their fathers, in a yard that is now a car park for visitors.</p>"
    )
    page = f"<h1>Boats of Kiel</h1>{text * paragraphs}<div>{bar}</div>"
    assert reason(page) is None
    footer = "<div><a href=/privacy>Privacy</a> <a href=/cookies>Cookies</a></div>"
    assert reason(page + footer) is None
