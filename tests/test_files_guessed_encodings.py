"""Names in old encodings that no file declares: two invented names of each country decide, in tables and records."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from handan.files import read

CN = [*product("王李张刘陈杨赵黄周吴徐孙郭董", ("静", "强霞", "志光", "洁英", "德思", "一明", "二力"))]
TW = [*product("陳林黃張李王吳劉蔡楊許鄭", ("淑惠", "雅婷", "嘉輝", "靜芬", "志豪", "明哲", "怡君"))]
JP = [
    *product(
        ("佐藤", "鈴木", "高橋", "田中", "山田", "坂本", "池田", "中野"),
        ("太郎", "次郎", "恵子", "拓也", "幸雄", "ひろし", "ソノエ"),
    )
]
KO = [*product("김이박최정강조윤장임한오", ("민원", "애경", "지건", "서준", "하윤", "슬환", "영희"))]
RU = [*product(("Иванов ", "Щербаков ", "Фёдоров ", "Жуков ", "Ёлкин "), ("Пётр", "Илья", "Юрий", "Эдуард", "Яков"))]
CE = [
    *product(
        ("Dvořák ", "Wiśniewski ", "Kučera ", "Szymański ", "Žižka "), ("Jiří", "Tomáš", "Łukasz", "Gergő", "Šimon")
    )
]
FORMS = {
    "table": "date,black,white,result\n2026-06-12,{0},{1},B+R\n",
    "record": "(;GM[1]FF[3]SZ[19]PB[{0}]PW[{1}]DT[2026-06-12]KM[6.5]RE[B+R];B[pd];W[dp])\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("names", "codec"),
    [(JP, "cp932"), (JP, "euc_jp"), (CN, "gb18030"), (TW, "big5"), (KO, "cp949"), (RU, "cp1251"), (CE, "cp1250")],
)
def test_two_names_say_in_which_encoding_a_file_is(
    names: list[tuple[str, str]], codec: str, form: str, tmp_path: Path
) -> None:
    path = tmp_path / "game"
    full = ["".join(parts) for parts in names]
    for black, white in zip(full[::2], full[::-1][::2], strict=False):
        if black == white:
            continue
        path.write_bytes(FORMS[form].format(black, white).encode(codec))
        ledger = read(path)
        assert set(ledger.names) == {black, white}
        assert ["encoding" in str(problem) for problem in ledger.problems] == [True]
