"""Who sends a request: an admin's key, and where a key does not do a person who is signed in; and under which Idempotency-Key.

The test makes the accounts, at example.com.
"""

import os
import re
import uuid

import requests
import schemathesis

PASSWORD = "correct horse battery staple"
# Cookies of those who are signed in.
kept = {}


def page(case):
    """What a browser says of a page of the service."""
    return {"Origin": case.operation.schema.get_base_url().rstrip("/")}


def sign_in(case, name):
    origin = page(case)
    person = {"email": f"{name}@example.com", "password": PASSWORD}
    answer = requests.post(f"{origin['Origin']}/api/auth/sign-in", json=person, headers=origin, timeout=30)
    answer.raise_for_status()
    # Over https its name is another one.
    return answer.cookies.items()[0]


def holds(case, cookie):
    """Whether a session has not been ended. Asking costs a hundredth of signing in, which hashes a password."""
    url = f"{case.operation.schema.get_base_url().rstrip('/')}/api/auth/session"
    return requests.get(url, cookies=dict([cookie]), timeout=30).status_code == 200


def person(name, *operations):
    """Has a person send these operations, signed in; again, once their session has ended."""

    class SignedIn:
        def get(self, case, context):
            if name not in kept or not holds(case, kept[name]):
                kept[name] = sign_in(case, name)
            return kept[name]

        def set(self, case, cookie, context):
            case.cookies.update([cookie])
            case.headers.update(page(case))

    # A cache of schemathesis's own would be emptied by each 401 of whatever else is sent.
    schemathesis.auth(refresh_interval=None).apply_to(operation_id=list(operations))(SignedIn)


# What ends all sessions of a person, or changes their password, is sent by one of their own.
person("ada", "listSessions", "endSession", "signOut", "linkSso")
person("ben", "getSession", "changeProfile")
person("mia", "signOutEverywhere")
person("eve", "changePassword")


@schemathesis.auth(refresh_interval=None)
class Key:
    def get(self, case, context):
        takes_key = any("apiKey" in way for way in case.operation.definition.raw["security"])
        return os.environ["SIGHTLINE_API_KEY"] if takes_key else None

    def set(self, case, key, context):
        case.headers["X-API-Key"] = key


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives each request an Idempotency-Key of its own: under one and the same, only the first body would be looked at."""
    if re.fullmatch("[!-~]{1,99}", str(case.headers.get("idempotency-key", ""))):
        case.headers["idempotency-key"] = str(uuid.uuid4())


@schemathesis.hook
def after_call(context, case, response):
    """Whoever changed the password changes it back; where that fails, the next one cannot sign in."""
    if case.operation.label == "POST /api/auth/password" and response.status_code == 200:
        back = {"current_password": case.body["new_password"], "new_password": PASSWORD}
        cookie = response.headers["set-cookie"][0].split(";")[0]
        requests.post(response.request.url, json=back, headers={**page(case), "Cookie": cookie}, timeout=30)
