#!/usr/bin/env python3
"""From signals to orders for the market's order book, on paper: nothing is sent to any market.

    TALLYCAST_URL=http://127.0.0.1:8080 TALLYCAST_KEY=tc_pro_... BANKROLL=500 python3 paper_bot.py

Every fill and settlement is a line of paper-bot.jsonl, from which the next start goes on.
"""

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from os import environ as env
from pathlib import Path
from typing import Any

from tallycast import Tallycast
from tallycast.models import LadderRecordRow


@dataclass(frozen=True)
class Limits:  # tighten them before you loosen them
    per_order: float = 0.05  # of the bankroll, like the next two
    per_event: float = 0.15
    in_all: float = 0.3
    loss_to_stop: float = 0.1  # beyond it nothing more is bought until a person has looked
    min_edge: float = 0.05  # probability minus cost, fee included
    min_price: float = 0.03  # cheap shares are lottery tickets,
    max_price: float = 0.9  # dear ones win little and lose all
    min_shares: int = 5  # the market takes no smaller order


@dataclass(frozen=True)
class Order:  # its first four fields are what the market's own clients take for a limit order
    token_id: str
    side: str
    price: float
    size: float
    event_id: int
    bucket: str
    cost_usd: float
    type: str = "GTC"


@dataclass
class Book:
    positions: dict[str, Order]  # open ones, by token
    pnl_usd: float = 0  # of those that are over

    def held_usd(self, event_id: int | None = None) -> float:
        return sum(each.cost_usd for each in self.positions.values() if event_id in (None, each.event_id))


def decide(
    event_id: int, rows: Iterable[LadderRecordRow], book: Book, bankroll: float, limits: Limits = Limits()
) -> list[Order]:
    """Orders for one event, from its ladder and from what the bot holds."""
    orders: list[Order] = []
    for row in rows:
        held = book.positions.get(row.token_id)
        if held and row.action == "SELL" and row.bid is not None:
            orders.append(to_order(event_id, row, "SELL", row.bid, held.size))
        elif row.action == "BUY" and row.ask is not None and book.pnl_usd > -limits.loss_to_stop * bankroll:
            bought_usd = sum(order.cost_usd for order in orders if order.side == "BUY")
            event_room_usd = limits.per_event * bankroll - book.held_usd(event_id) - bought_usd
            whole_room_usd = limits.in_all * bankroll - book.held_usd() - bought_usd
            room_usd = min(limits.per_order * bankroll, event_room_usd, whole_room_usd)
            shares = count_shares(row, row.ask, held.size if held else 0, room_usd, limits)
            if shares >= limits.min_shares:
                orders.append(to_order(event_id, row, "BUY", row.ask, shares))
    return orders


def count_shares(row: LadderRecordRow, ask: float, held: float, room_usd: float, limits: Limits) -> int:
    """Never more than the service's own target, than the limits leave, or than is offered at this price."""
    cost_usd = ask + (row.fee_per_share or 0)
    if not limits.min_price <= ask <= limits.max_price or row.model_prob - cost_usd < limits.min_edge:
        return 0
    return max(0, int(min(row.target_shares - held, room_usd / cost_usd, row.ask_shares or 0)))


def to_order(event_id: int, row: LadderRecordRow, side: str, price: float, size: float) -> Order:
    fee = (row.fee_per_share or 0) * (1 if side == "BUY" else -1)
    return Order(row.token_id, side, price, size, event_id, row.bucket, size * (price + fee))


def read_book(lines: Iterable[dict[str, Any]]) -> Book:
    book = Book({})
    for line in lines:
        settlement = line.get("settlement") or {}
        if "order" in line:
            order = Order(**line["order"])
            sign = 1 if order.side == "BUY" else -1
            before = book.positions.get(order.token_id) or replace(order, size=0, cost_usd=0)
            size, cost_usd = before.size + sign * order.size, before.cost_usd + sign * order.cost_usd
            book.positions[order.token_id] = replace(before, size=size, cost_usd=cost_usd)
        winner = settlement.get("winning_bucket")
        for held in list(book.positions.values()):
            is_over = winner is not None and settlement["event_id"] == held.event_id
            if is_over or held.size <= 0:
                book.pnl_usd += (held.size if is_over and held.bucket == winner else 0) - held.cost_usd
                del book.positions[held.token_id]
    return book


def main() -> None:
    client = Tallycast(env.get("TALLYCAST_URL", "http://127.0.0.1:8080"), env.get("TALLYCAST_KEY"))
    account = env.get("TALLYCAST_ACCOUNT") or client.accounts()[0].segment
    bankroll = float(env.get("BANKROLL", "500"))
    file = Path(env.get("BOOK", "paper-bot.jsonl"))
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def write(**line: Any) -> None:
        with file.open("a") as book:
            book.write(json.dumps({"ts": int(time.time() * 1000), **line}) + "\n")
        lines.append(line)

    def place(order: Order) -> None:
        # Live orders are left to you: sign with your wallet, send by the market's own client, write a fill
        # only when the market tells of one. Think of partial fills, of lost edges, and of the law.
        if env.get("LIVE"):
            raise SystemExit("on paper only: live orders are yours to write (see place)")
        write(order=asdict(order))  # on paper an order fills at once, at its price
        print(f"on paper: {order.side} {order.size} of {order.bucket} at {order.price}")

    def review() -> None:
        for event in client.counters(account).data:
            if event.feeds.own.stale or event.feeds.oracle.stale:
                continue  # old counts make old advice
            for ladder in client.ladder(account, event_id=event.event_id, bankroll=bankroll).data:
                for order in decide(event.event_id, ladder.rows, read_book(lines), bankroll):
                    place(order)
        book = read_book(lines)
        print(len(book.positions), f"positions for {book.held_usd():.2f} USD; {book.pnl_usd:.2f} USD made so far")

    next_s = 0.0
    for change in client.follow(account):
        if change.event == "settlement":
            write(settlement=asdict(change.data))
        if time.monotonic() >= next_s:
            next_s = time.monotonic() + float(env.get("EVERY_S", "30"))
            review()
            if env.get("ONCE"):
                return


if __name__ == "__main__":
    main()
