"""Reads one message from stdin with Python's own parser and writes what a mail program would show, as JSON."""
import base64
import email
import json
import sys
from email import policy

message = email.message_from_bytes(sys.stdin.buffer.read(), policy=policy.default)
body = message.get_body(preferencelist=("plain",))
print(
    json.dumps(
        {
            "headers": {name.lower(): str(value) for name, value in message.items()},
            "text": body.get_content() if body else None,
            "attachments": [
                {
                    "name": part.get_filename(),
                    "content": base64.b64encode(part.get_payload(decode=True)).decode(),
                }
                for part in message.iter_attachments()
            ],
            "defects": [str(defect) for defect in message.defects],
        }
    )
)
