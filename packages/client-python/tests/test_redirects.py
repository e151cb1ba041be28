"""A service that redirects to another host: two real servers, with checks on what the second one receives."""

from __future__ import annotations

import asyncio
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from tallycast import AsyncTallycast, RedirectedError, Tallycast

KEY = "tc_pro_secret"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, status: int, location: str = "") -> None:
        self.received: list[str] = []
        self.status, self.location = status, location
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def end(self) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self.server.received.append(str(self.headers))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location + self.path)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        pass


class Redirects(unittest.TestCase):
    def setUp(self) -> None:
        self.other = _Server(200)
        self.service = _Server(302, self.other.url)
        self.addCleanup(self.other.end)
        self.addCleanup(self.service.end)

    def assert_told(self, error: RedirectedError) -> None:
        self.assertEqual(error.status, 302)
        self.assertTrue((error.location or "").startswith(self.other.url))
        self.assertEqual(self.other.received, [])
        self.assertIn(KEY, self.service.received[-1])

    def test_do_not_forward_the_key_even_if_the_given_client_follows_them(self) -> None:
        with httpx.Client(follow_redirects=True) as http:
            client = Tallycast(self.service.url, KEY, client=http, retries=0)
            with self.assertRaises(RedirectedError) as told:
                client.signals("account_a")
            self.assert_told(told.exception)
            with self.assertRaises(RedirectedError) as told:
                next(iter(client.stream("account_a")))
            self.assert_told(told.exception)

    def test_do_not_forward_the_key_with_asyncio_either(self) -> None:
        async def use() -> None:
            async with httpx.AsyncClient(follow_redirects=True) as http:
                client = AsyncTallycast(self.service.url, KEY, client=http, retries=0)
                with self.assertRaises(RedirectedError) as told:
                    await client.signals("account_a")
                self.assert_told(told.exception)
                with self.assertRaises(RedirectedError) as told:
                    await anext(aiter(client.stream("account_a")))
                self.assert_told(told.exception)

        asyncio.run(use())


if __name__ == "__main__":
    unittest.main()
