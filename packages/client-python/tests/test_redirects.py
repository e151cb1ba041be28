"""A service that redirects to another host, which must receive nothing."""

from __future__ import annotations

import asyncio
import unittest

import httpx

from tallycast import AsyncTallycast, RedirectedError, Tallycast

KEY = "tc_pro_secret"


class Redirects(unittest.TestCase):
    def setUp(self) -> None:
        self.asked: list[httpx.Request] = []

    def play(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return httpx.Response(302, headers={"Location": f"http://other.invalid{request.url.path}"})

    def assert_told(self, error: RedirectedError) -> None:
        self.assertEqual((error.status, error.location), (302, f"http://other.invalid{self.asked[-1].url.path}"))
        self.assertEqual({request.url.host for request in self.asked}, {"service.invalid"})
        self.assertIn(KEY, str(self.asked[-1].headers.raw))

    def test_do_not_forward_the_key_even_if_the_given_client_follows_them(self) -> None:
        with httpx.Client(transport=httpx.MockTransport(self.play), follow_redirects=True) as http:
            client = Tallycast("http://service.invalid", KEY, client=http, retries=0)
            with self.assertRaises(RedirectedError) as told:
                client.signals("account_a")
            self.assert_told(told.exception)
            with self.assertRaises(RedirectedError) as told:
                next(iter(client.stream("account_a")))
            self.assert_told(told.exception)

    def test_do_not_forward_the_key_with_asyncio_either(self) -> None:
        async def use() -> None:
            async with httpx.AsyncClient(transport=httpx.MockTransport(self.play), follow_redirects=True) as http:
                client = AsyncTallycast("http://service.invalid", KEY, client=http, retries=0)
                with self.assertRaises(RedirectedError) as told:
                    await client.signals("account_a")
                self.assert_told(told.exception)

        asyncio.run(use())


if __name__ == "__main__":
    unittest.main()
