"""Reads a CSV file with Python's own reader and writes its cells as JSON."""
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    print(json.dumps(list(csv.reader(file))))
