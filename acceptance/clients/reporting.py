"""Cases of the published Python SDK, each of which is printed as one line of JSON."""

import json
import traceback

# The newest generation renamed its base class.
NAMES = {"NomadicAIError": "NomadicMLError"}
covered = set()


def case(method, what, call, check=lambda answer: None):
    """One case of a method that has to work."""
    covered.add(method)
    try:
        answer = call()
        check(answer)
        report(method, what, "works")
        return answer
    except Exception:
        report(method, what, "fails", traceback.format_exc(limit=-3))
        return None


def refused(method, what, call, kind, status=None):
    """One case of a method that has to end in an exception of this class, with this status of the API where it has one."""
    covered.add(method)
    try:
        call()
    except kind as error:
        got = getattr(error, "status_code", None)
        if type(error) is kind and (status is None or got == status):
            named = NAMES.get(kind.__name__, kind.__name__)
            message = getattr(error, "message", None) if status is not None else None
            report(method, what, f"raises {named}" if status is None else f"raises {named} {status}", message=message)
            return
        report(method, what, "fails", f"raised {type(error).__name__} {got}: {error}")
    except Exception as error:
        report(method, what, "fails", f"raised {type(error).__name__}: {error}")
    else:
        report(method, what, "fails", "raised nothing")


def report(method, what, outcome, detail=None, message=None):
    print(json.dumps({"method": method, "case": what, "outcome": outcome, "detail": detail, "message": message}), flush=True)


def expect(condition, answer):
    assert condition, json.dumps(answer, default=str)[:1500]
