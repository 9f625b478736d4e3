"""Signs a token for each request, as the clients of the API do."""

import base64
import hashlib
import hmac
import json
import os
import re
import time
import uuid
from datetime import datetime

import schemathesis

OWNER = {"key": os.environ["MASTHEAD_KEY"], "id": os.environ["MASTHEAD_OWNER"]}


def part(value: dict) -> bytes:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")


@schemathesis.auth(refresh_interval=None)
class AdminToken:
    def get(self, case, context):
        now = int(time.time())
        key_id, secret = OWNER["key"].split(":")
        signed = part({"alg": "HS256", "typ": "JWT", "kid": key_id}) + b"." + part(
            {"iat": now, "exp": now + 300, "aud": "/admin/"}
        )
        signature = hmac.new(bytes.fromhex(secret), signed, hashlib.sha256).digest()
        return (signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), "Authorization": f"Ghost {data}"}


@schemathesis.hook
def after_call(context, case, response):
    """Continues with the Owner's new token after one was made: the old one is dead."""
    if case.method == "PUT" and case.path.endswith("/token/") and response.status_code == 200:
        if (case.path_parameters or {}).get("id") in ("me", OWNER["id"]):
            made = json.loads(response.content)["apiKey"]
            OWNER["key"] = f"{made['id']}:{made['secret']}"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes requests valid by the rules that JSON Schema cannot express: a cursor comes from the page before, and a range is in order."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    if isinstance(case.body, dict):
        for root, items in case.body.items():
            for item in items if isinstance(items, list) else []:
                if isinstance(item, dict) and root in VALID:
                    VALID[root](item)
        if isinstance(case.body.get("invites"), list):
            case.body["invites"] = once_each(case.body["invites"])
    query = case.query
    if not isinstance(query, dict):
        return
    if query.get("cursor"):
        del query["cursor"]
    for name in ("since", "until"):
        if name in query and not is_time(str(query[name])):
            del query[name]
    if "since" in query and str(query.get("until")) < str(query["since"]):
        query["until"] = query["since"]


def plain_name(item: dict) -> None:
    """A name has no web address, host name or invisible characters."""
    if isinstance(item.get("name"), str):
        item["name"] = re.sub(r"[^A-Za-z0-9 ]", "", item["name"]).strip() or "Ada"


def public_target(item: dict) -> None:
    """A target URL has a public host, and with an event it is of one webhook only."""
    if "target_url" in item:
        item["target_url"] = f"https://hooks.bookshop.example/{uuid.uuid4().hex}"


def known_webhook(item: dict) -> None:
    """A webhook has events that exist: several of them, and patterns."""
    public_target(item)
    if isinstance(item.get("event"), str):
        item["event"] = ("post.published", "post.*,tag.added", "page.*,webhook.failing", "*")[len(item["event"]) % 4]


def payload_of_event(item: dict) -> None:
    """A payload has the key of its event's resource, with both parts."""
    resource = str(item.get("event")).split(".")[0]
    item["payload"] = {} if resource == "site" else {resource: {"current": {}, "previous": {}}}


def range_in_order(item: dict) -> None:
    """A replay ends after its beginning."""
    if not str(item.get("since")) < str(item.get("until")):
        item["since"], item["until"] = "2026-11-20", "2026-11-21"


VALID = {
    "integrations": plain_name,
    "users": plain_name,
    "invitation": plain_name,
    "webhooks": known_webhook,
    "previews": public_target,
    "events": payload_of_event,
    "replays": range_in_order,
}


def once_each(invites: list) -> list:
    """An address is in a request once."""
    return list({str(one.get("email")).lower(): one for one in invites if isinstance(one, dict)}.values())


def is_time(text: str) -> bool:
    """Whether the day exists: a pattern accepts the 30th of February."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
