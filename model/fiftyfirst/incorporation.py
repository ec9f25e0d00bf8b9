"""Incorporation (p.8): a location card from hand comes into play as a location."""

from __future__ import annotations

from model.fiftyfirst.contacts import reach, require_contacts, use_contacts, within_range
from model.fiftyfirst.leaders import trigger
from model.fiftyfirst.locations import arrive
from model.fiftyfirst.table import Phase, Table, undisturbed
from model.fiftyfirst.turns import end_turn
from model.fiftyfirst.vocabulary import Colour
from model.language import One, Selection, action


@action(
    clauses=("act.incorporation", "act.range"),
    phases=(Phase.ACTION,),
    when=undisturbed,
    **reach(Colour.INCORPORATION),
    card=One("location", within_range(Colour.INCORPORATION), "act.range"),
    log="{player} incorporates {card} (contacts: {permanents}, {contacts}, {tokens}; paid: {price}, {discards})",
)
def incorporation(
    state: Table, player: int, permanents: Selection, contacts: Selection, tokens: Selection, price: Selection,
    discards: Selection, card: int,
) -> None:  # fmt: skip
    require_contacts(state, permanents, contacts, price, discards)
    use_contacts(state, player, permanents, contacts, tokens, price, discards)
    arrive(state, player, card)
    trigger(state, player, None, card, located=True)
    end_turn(state, player)
