"""Reads the first sheet of a workbook with openpyxl and writes its cells and their types as JSON."""
import json
import sys

from openpyxl import load_workbook

sheet = load_workbook(sys.argv[1]).worksheets[0]
print(
    json.dumps(
        {
            "title": sheet.title,
            "rows": [[cell.value for cell in row] for row in sheet.iter_rows()],
            "types": [[cell.data_type for cell in row] for row in sheet.iter_rows()],
        },
        default=str,
    )
)
