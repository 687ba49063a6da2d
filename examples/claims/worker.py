"""Charges an invoice: one worker at a time executes, and every later one gets its receipt.

usage: ONCE_TOKEN=... python3 worker.py INVOICE AMOUNT
"""
import base64, http.client, json, os, sys, threading, time, urllib.error, urllib.request, uuid

API = os.environ.get("ONCE_API", "http://127.0.0.1:8080/once/v1")
HEADERS = {"Authorization": "Bearer " + os.environ.get("ONCE_TOKEN", ""), "Content-Type": "application/json"}
LEASE_MILLIS = int(os.environ.get("LEASE_MILLIS", "30000"))

# snippet: post
def post(path, body):
    """Sends a request until it is answered: each request may be sent again, unchanged."""
    request = urllib.request.Request(API + path, json.dumps(body).encode(), HEADERS)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as problem:
            if problem.code != 503:
                raise
        except (OSError, http.client.HTTPException):
            pass  # There was no answer, or half of one.
        time.sleep(1)
# end

# snippet: lease
class Lease:
    """Renews a grant. It counts from before a request was sent, so it ends early, not late."""

    def __init__(self, grant, sent):
        self.grant, self.ends, self.over = grant, sent + LEASE_MILLIS / 1000, threading.Event()
        threading.Thread(target=self.renew, daemon=True).start()

    def renew(self):
        while not self.over.wait(LEASE_MILLIS / 3000):
            sent = time.monotonic()
            try:
                post("/claims/renew", {**self.grant, "lease_millis": LEASE_MILLIS})
            except urllib.error.HTTPError:
                sent = float("-inf")  # Another worker may own the key.
            self.ends = sent + LEASE_MILLIS / 1000

    def check(self):
        if time.monotonic() >= self.ends:
            sys.exit("the lease is lost")
# end

# snippet: effect
def charge(invoice, amount, fence, lease):
    """The effect: a line in a file. A call to another system would take the fence along."""
    time.sleep(float(os.environ.get("EFFECT_SECONDS", "1")))
    lease.check()  # before the step that cannot be undone
    with open(os.environ.get("LEDGER", "ledger.txt"), "a") as ledger:
        ledger.write(f"{invoice} {amount} {fence}\n")
    return f"receipt for {invoice}, {amount}"
# end

# snippet: main
def main(invoice, amount):
    key, answer = {"scope": "charges", "key": invoice}, {"result": "held", "retry_after_millis": 0}
    while answer["result"] == "held":  # by another worker, which may complete it, or die
        time.sleep(answer["retry_after_millis"] / 1000)
        sent, token = time.monotonic(), str(uuid.uuid4())
        terms = {"token": token, "request": {"amount": amount}, "lease_millis": LEASE_MILLIS}
        answer = post("/claims", {**key, **terms})
    if answer["result"] == "replay":
        return print("replayed:", base64.b64decode(answer["outcome"]["payload"]).decode())
    if answer["result"] != "granted":
        sys.exit(answer["result"])  # mismatched: another amount; uncertain: ask an operator
    print("executing under fence", answer["fence"], flush=True)
    grant = {**key, "fence": answer["fence"]}
    lease = Lease(grant, sent)
    receipt = charge(invoice, amount, answer["fence"], lease)
    lease.over.set()
    post("/claims/complete", {**grant, "outcome": {"payload": base64.b64encode(receipt.encode()).decode()}})
    print("executed:", receipt)
# end

main(sys.argv[1], sys.argv[2])
