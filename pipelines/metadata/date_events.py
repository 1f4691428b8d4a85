"""Words by which a date is known not to be the date of publication, by language."""

from __future__ import annotations

import re

# English with French, Spanish, Italian, Portuguese, Romanian and the Slavic languages where the
# word is the same; then German, Dutch, Scandinavian, Finnish, Polish, Czech, Croatian, Russian,
# Ukrainian, Hungarian, Turkish, Greek, Georgian, Indonesian, Vietnamese, Thai, Hindi, Hebrew,
# Arabic, Persian, Chinese, Japanese, Korean.
UPDATE = re.compile(
    r"updat|modif|revis|review|mise? à jour|a[ck]?tuali[sz]|aggiornat|"
    r"aktualis|überarbeitet|bijgewerkt|gewijzigd|uppdater|oppdater|opdater|päivitetty|muokattu|"
    r"ažurir|обновл|изменен|оновл|frissít|módosít|güncel|ενημερώθηκε|ενημέρωση|განახლ|"
    r"diperbarui|cập nhật|อัปเดต|อัพเดท|แก้ไข|अपडेट|अद्यतन|עודכן|עדכון|تحديث|به‌?روز ?رسانی|"
    r"更新|修改|修正|編集日|수정|업데이트",
    re.I,
)

# In the same order of languages. An East Asian noun counts only with a word for day or time or a
# colon after it, because it may also occur in a heading.
OTHER_EVENT = re.compile(
    r"edited|joined|registered|since|expire|deadline|releas|^\W*version\W*$|"
    r"inscrit|membre depuis|date limite|date de sortie|"
    r"registrado|miembro desde|fecha límite|fecha de (?:estreno|lanzamiento)|"
    r"iscritto|membro dal|scadenza|data di uscita|membro desde|data de lançamento|prazo|"
    r"registriert|mitglied seit|dabei seit|einsendeschluss|bewerbungsfrist|"
    r"geregistreerd|lid sinds|medlem s(?:iden|edan)|rekisteröity|liittynyt|"
    r"zarejestrowan|dołączył|registrován|registriran|"
    r"зарегистрир|регистрация|на форуме с|срок|дата (?:выхода|релиза)|премьера|зареєстр|"
    r"regisztrál|határidő|kayıt tarihi|üyelik|son başvuru|εγγραφή|προθεσμία|"
    r"bergabung|tham gia|hạn (?:chót|nộp)|สมัคร|หมดเขต|अंतिम तिथि|הצטרף|انضم|عضویت|"
    r"(?:注册|註冊|加入|入会|登録会員|截止|締切|締め切り|発売|發售|发售|上映|発行|会期|會期|開催|가입|마감|개봉|출시|발매)"
    r"(?:(?:日期|时间|時間|日時|日|일자|일시|일)\s*[:：]?|\s*[:：])\s*$",
    re.I,
)
