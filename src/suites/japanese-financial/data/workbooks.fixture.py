"""Writes workbooks with XlsxWriter and what pandas reads from them, as the original loads them.

Run with Debian's python3-xlsxwriter, python3-openpyxl and python3-pandas: python3 workbooks.fixture.py
"""

import base64
import datetime
import io
import json
import pathlib

import pandas
import xlsxwriter

STATEMENTS = ["ア", "イ", "ウ", "エ", "オ", "カ"]
NUMBERS = [1, 2, 3, 4, 5, 6]
TITLES = ["key", "q_no", "question", *STATEMENTS, "a_no", *NUMBERS, "abnormal_flg"]


def question(key, **cells):
    row = {"key": key, "q_no": 1, "question": f"問 {key}", "a_no": 1, "abnormal_flg": 0}
    row.update({number: f"{key}{number}" for number in NUMBERS})
    for name, value in cells.items():
        row[int(name[1:]) if name[1:].isdigit() else name] = value
    return row


def workbook(rows, *, inline):
    target = io.BytesIO()
    options = {"constant_memory": inline, "in_memory": not inline, "default_date_format": "yyyy/m/d h:mm"}
    book = xlsxwriter.Workbook(target, options)
    bold = book.add_format({"bold": True})
    sheet = book.add_worksheet("監査")
    book.add_worksheet("other").write(0, 0, "not this one")
    for column, title in enumerate(TITLES):
        sheet.write(0, column, title)
    for number, row in enumerate(rows, start=1):
        for column, title in enumerate(TITLES):
            value = row.get(title)
            if value is None:
                if column % 2:
                    sheet.write_blank(number, column, None, bold)
            elif isinstance(value, list):
                parts = [part for text in value for part in (bold, text)]
                sheet.write_rich_string(number, column, *parts[:-2], parts[-1])
            elif isinstance(value, dict):
                sheet.write_formula(number, column, value["formula"], None, value["cached"])
            elif isinstance(value, datetime.datetime):
                sheet.write_datetime(number, column, value)
            elif isinstance(value, bool):
                sheet.write_boolean(number, column, value)
            elif isinstance(value, str):
                sheet.write_string(number, column, value)
            else:
                sheet.write(number, column, value)
    book.close()
    return target.getvalue()


def documents(content):
    """What the loader of the original makes of a workbook."""
    frame = pandas.read_excel(io.BytesIO(content), index_col=0)
    found = []
    for row in frame.to_dict(orient="records"):
        asked = str(row["question"])
        if asked in ("", "nan") or row["abnormal_flg"] == 1:
            continue
        context = [f"{name}: {row[name]}" for name in STATEMENTS if str(row[name]) not in ("", "nan")]
        found.append(
            {
                "id": len(found),
                "question": asked,
                "context": "\n".join(context),
                "choices": [{"id": number - 1, "text": str(row[number])} for number in NUMBERS],
                "answer": int(row["a_no"]) - 1,
            }
        )
    return found


CASES = {
    "texts and gaps": [
        question("a", ア="一つ目", イ="two\nlines", カ=" six "),
        question("b", question=None),
        question("c", abnormal_flg=1),
        question("d", _6=None, ウ="nan", エ="N/A", オ="0"),
        question("e", question="", a_no=6),
    ],
    "rich text": [
        question("a", question=["太い ", "と 細い <&>", " 終"], ア=["x", "y"], _1=["アイ", "ウ"]),
        question("b", _3="_x005F_ 下線 _x000D_"),
    ],
    "formulas and booleans": [
        question("a", _1={"formula": '="ア"&"イ"', "cached": "アイ"}, _2={"formula": "=1+1", "cached": 2}),
        question("b", _2=True, abnormal_flg=False, ア={"formula": "=NA()", "cached": "#N/A"}),
        question("c", abnormal_flg=True),
    ],
    "numbers among texts": [
        question("a", _1=5, _2=2.5, _3=1e21, _4="05", ア=3, イ=0.1),
        question("b", _2=-3.0, _5="7", ア="text", イ="また"),
    ],
    "columns of numbers": [
        question("a", _1=1, _2=1, _3=1.5, _4="01", _5="1.0", _6=10, ア=1, イ=True, ウ=False),
        question("b", _1=2, _2=None, _3=2, _4="2", _5="2", _6="x", ア=None, イ=None, ウ=True),
        question("c", _1=3, _2=4, _3=3, _4=" 3", _5="3", _6=30, ア=2, イ=False, ウ=True),
    ],
    "booleans and numbers": [
        question("a", _1=True, _2=2, _3=True, _4=False, _5=True, _6="1e3", ア=True),
        question("b", _1=5, _2=True, _3=None, _4="x", _5=2.5, _6="-.5", ア="1"),
        question("c", _1=0, _2=3, _3=7, _4=1, _5=False, _6="+2", ア=3),
    ],
    "dates": [
        question("a", _1=datetime.datetime(2024, 1, 5), ア=datetime.datetime(2023, 12, 31, 23, 59, 30)),
        question("b", _1="x", ア="text"),
    ],
}


def main():
    books = []
    for name, rows in CASES.items():
        for inline in (False, True) if "text" in name else (False,):
            content = workbook(rows, inline=inline)
            books.append(
                {
                    "name": f"{name}, {'inline' if inline else 'shared'}",
                    "documents": documents(content),
                    "xlsx": base64.b64encode(content).decode(),
                }
            )
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(books, ensure_ascii=False, indent=1) + "\n")


main()
