"""In place of `vllm serve MODEL --served-model-name NAME --port PORT`: every question is answered with yes."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHOICE = {"index": 0, "message": {"role": "assistant", "content": "<answer>Yes</answer>"}, "finish_reason": "stop"}
USAGE = {"prompt_tokens": 300, "completion_tokens": 5, "total_tokens": 305}


class Chat(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        return

    def do_GET(self):
        self._reply({"object": "list", "data": [{"id": self.server.model, "object": "model"}]})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        facts = {"id": "c", "object": "chat.completion", "created": 1, "model": asked["model"]}
        if asked["model"] == self.server.model:
            self._reply({**facts, "choices": [CHOICE], "usage": USAGE})
        else:
            self._reply({"error": {"message": "no such model"}}, 404)

    def _reply(self, value, status=200):
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    words = sys.argv[1:]
    server = ThreadingHTTPServer(("127.0.0.1", int(words[words.index("--port") + 1])), Chat)
    server.daemon_threads = True
    server.model = words[words.index("--served-model-name") + 1]
    server.serve_forever()
