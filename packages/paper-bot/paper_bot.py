#!/usr/bin/env python3
"""From signals to orders for the market's order book, on paper: nothing is sent to any market.

    TALLYCAST_URL=http://127.0.0.1:8080 TALLYCAST_KEY=tc_pro_... BANKROLL=500 python3 paper_bot.py

Every fill and settlement is a line of paper-bot.jsonl, from which the next start goes on.
"""

import json
import time
from dataclasses import asdict, dataclass, replace
from os import environ as env
from pathlib import Path
from typing import Any

from tallycast import Tallycast
from tallycast.models import Opportunity


class Limits:  # tighten them before you loosen them
    per_order = 0.05  # of the bankroll, like the next two
    per_event = 0.15
    in_all = 0.3
    loss_to_stop = 0.1  # beyond it nothing more is bought until a person has looked
    min_gain_per_usd = 0.05  # expected, after fees, by a belief that may be wrong
    min_price = 0.03  # cheap shares are lottery tickets,
    max_price = 0.9  # dear ones win little and lose all
    min_seconds_left = 900  # the market closes on what was counted until then: too late to be early
    min_shares = 5  # the market takes no smaller order


@dataclass(frozen=True)
class Order:  # its first four fields are what the market's own clients take for a limit order
    token_id: str
    side: str
    price: float
    size: float
    event_id: int
    bucket: str
    outcome: str
    fee: float
    cost_usd: float
    type: str = "GTC"


def total_usd(orders: list[Order], event_id: int | None = None) -> float:
    return sum(order.cost_usd for order in orders if event_id in (None, order.event_id))


def decide(advised: list[Opportunity], held: dict[str, Order], pnl_usd: float, bankroll: float) -> list[Order]:
    """Orders for what the service advises (best first), given what the bot holds and has made or lost."""
    orders: list[Order] = []
    for chance in advised:
        ours = held.get(chance.token_id or "")
        if chance.verdict == "EXIT" and ours and chance.depth_shares:
            orders.append(to_order(chance, "SELL", min(ours.size, chance.depth_shares), ours.fee))
        elif chance.verdict != "EXIT" and pnl_usd > -Limits.loss_to_stop * bankroll:
            owned = [*held.values(), *(order for order in orders if order.side == "BUY")]
            room_usd = min(
                Limits.per_order * bankroll,
                Limits.per_event * bankroll - total_usd(owned, chance.event_id),
                Limits.in_all * bankroll - total_usd(owned),
            )
            shares = count_shares(chance, ours.size if ours else 0, room_usd)
            if shares >= Limits.min_shares:
                fee = (chance.cost_per_share or 0) - (chance.limit_price or 0)
                orders.append(to_order(chance, "BUY", shares, fee))
    return orders


def count_shares(chance: Opportunity, held: float, room_usd: float) -> int:
    """Never more than the service advises, than the limits leave, or than is offered at this price."""
    price, cost, depth = chance.limit_price, chance.cost_per_share, chance.depth_shares
    if price is None or cost is None or depth is None or not Limits.min_price <= price <= Limits.max_price:
        return 0
    if chance.gain_per_usd < Limits.min_gain_per_usd or chance.seconds_remaining < Limits.min_seconds_left:
        return 0
    return max(0, int(min(chance.shares - held, room_usd / cost, depth)))


def to_order(chance: Opportunity, side: str, size: float, fee: float) -> Order:
    price, outcome = chance.limit_price or 0, "No" if chance.verdict == "BUY_NO" else "Yes"
    cost_usd = size * (price + fee if side == "BUY" else price - fee)
    token_id = chance.token_id or ""
    return Order(token_id, side, price, size, chance.event_id, chance.bucket, outcome, fee, cost_usd)


def read_book(lines: list[dict[str, Any]]) -> tuple[dict[str, Order], float]:
    """Open positions by token, and profit or loss of those that are over."""
    positions: dict[str, Order] = {}
    pnl_usd = 0.0
    for line in lines:
        if "order" in line:
            order = Order(**line["order"])
            sign = 1 if order.side == "BUY" else -1
            before = positions.get(order.token_id) or replace(order, size=0, cost_usd=0)
            size, cost_usd = before.size + sign * order.size, before.cost_usd + sign * order.cost_usd
            positions[order.token_id] = replace(before, size=size, cost_usd=cost_usd)
        winner = line.get("settlement", {}).get("winning_bucket")
        for held in list(positions.values()):
            is_over = winner is not None and line["settlement"]["event_id"] == held.event_id
            if is_over or held.size <= 0:
                has_won = is_over and (winner == held.bucket) == (held.outcome == "Yes")
                pnl_usd += (held.size if has_won else 0) - held.cost_usd
                del positions[held.token_id]
    return positions, pnl_usd


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
        print(f"on paper: {order.side} {order.size} {order.outcome} of {order.bucket} at {order.price}")

    def review() -> None:  # the service advises nothing on feeds that are dark
        data = client.opportunities(bankroll=bankroll, limit=100).data
        for order in decide([each for each in data if each.account == account], *read_book(lines), bankroll):
            place(order)
        held, pnl_usd = read_book(lines)
        cost = f"{total_usd(list(held.values())):.2f} USD"
        print(f"{len(held)} positions for {cost}; {pnl_usd:.2f} USD made so far")

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
