"""What should hold in 51st State (2010): invariants, properties of moves, and situations that should be reachable.

Ordered as the rulebook. Statements that the rulebook suggests but does not keep are here too, marked with
`expected="REFUTED"` and an explanation: they are its holes, and a run that fails to refute them is a failure.
"""

from __future__ import annotations

from typing import Any

from model.fiftyfirst.assets import combo_complete, goods_and_workers, vp_on
from model.fiftyfirst.attachments import attached
from model.fiftyfirst.drawing import piles_empty, somebody_over_limit
from model.fiftyfirst.preparation import NO_FACTION
from model.fiftyfirst.table import (
    BASE,
    LOOKOUT,
    NOWHERE,
    Pending,
    Phase,
    Table,
    Zone,
    every_card,
    hand_size,
    held,
    in_zone,
    is_host,
    leaders,
    locations,
)  # fmt: skip
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, CardType, Cost, Gain, Kind
from model.language import Move, all_of, any_of, count, implies, negate, total, where
from properties.declaration import invariant, step, witness

PILES = (Zone.DECK, Zone.DISCARD, Zone.DISPLAY)


def in_lookout(state: Table) -> Any:
    """The round is in a part of Lookout."""
    return any_of(state.phase == phase for phase in LOOKOUT)


def before_production(state: Table) -> Any:
    """The game is being set up, or the round is in Lookout."""
    return any_of(state.phase == Phase.FACTIONS, state.phase == Phase.DEAL, in_lookout(state))


def chosen(move: Move, name: str) -> Any:
    """What was chosen under that name in the move."""
    return dict(zip(move.action.choices, move.values, strict=True))[name]


def same(before: Any, after: Any) -> Any:
    """Whether a row of cells is unchanged."""
    return all_of(old == new for old, new in zip(before, after, strict=True))


# -- cards ---------------------------------------------------------------------------------------------------------
@invariant(
    "cards.owner", "A card in deck, discard pile or display is nobody's; any other card is one player's.",
    ("setup.piles", "comp.cards"), over=("card",),
)  # fmt: skip
def card_has_owner(state: Table, card: int) -> Any:
    in_pile = any_of(state.zone[card] == pile for pile in PILES)
    nobody = state.owner[card] == state.setup.players
    return all_of(implies(in_pile, nobody), implies(nobody, in_pile))


@invariant(
    "cards.kinds", "Only locations become spoils, deals or locations in play; single-use contacts never stay in play.",
    ("act.conquest", "act.negotiation", "act.single_discard", "act.leader_play"), over=("card",),
)  # fmt: skip
def zones_by_kind(state: Table, card: int) -> Any:
    kind = state.setup.deck.type[card]
    under_host = any_of(state.zone[card] == Zone.SPOILS, state.zone[card] == Zone.DEAL)
    return all_of(
        implies(under_host, kind == CardType.LOCATION), implies(state.zone[card] == Zone.PLAY, kind != CardType.CONTACT)
    )


@invariant(
    "cards.host", "Spoils and deals lie under a host (or are just being moved to one), and nothing else does.",
    ("act.conquest", "act.negotiation", "act.redevelop_moves"), over=("location",),
)  # fmt: skip
def attached_has_host(state: Table, card: int) -> Any:
    under_host = any_of(state.zone[card] == Zone.SPOILS, state.zone[card] == Zone.DEAL)
    hosted = state.host[card] != NOWHERE
    moving = all_of(state.pending == Pending.REHOUSE, state.owner[card] == state.chooser)
    return all_of(implies(hosted, under_host), implies(under_host, any_of(hosted, moving)))


@invariant(
    "cards.host_stands", "A location that is a host is in play, gives slots, and is its owner's.",
    ("abl.slots", "act.redevelop_moves"), over=("location", "location"),
)  # fmt: skip
def host_stands(state: Table, card: int, host: int) -> Any:
    stands = all_of(
        state.zone[host] == Zone.PLAY, state.owner[host] == state.owner[card], is_host(state.setup.deck, host)
    )
    return implies(state.host[card] == host, stands)


@invariant(
    "cards.marks", "VP tokens, goods, uses and visitors' markers are only on cards in play.",
    ("vp.tokens", "clean.payments", "act.redevelop_moves"), over=("card",),
)  # fmt: skip
def marks_in_play(state: Table, card: int) -> Any:
    clean = all_of(
        state.tokens[card] == 0,
        state.used[card] == 0,
        *[amount == 0 for amount in state.on_card[card]],
        *[negate(marker) for marker in state.visited[card]],
    )
    return any_of(state.zone[card] == Zone.PLAY, clean)


@invariant("setup.faction", "No two players have the same faction.", ("setup.faction",), over=("player", "player"))
def factions_differ(state: Table, one: int, other: int) -> Any:
    if one == other:
        return True
    return any_of(state.faction[one] != state.faction[other], state.faction[one] == NO_FACTION)


@invariant(
    "draws.owed", "Cards are owed to a player exactly while somebody has to draw them.", ("setup.piles",)
)
def draws_are_owed(state: Table) -> Any:
    nobody = state.drawer == state.setup.players
    return all_of(
        implies(state.draws == 0, nobody), implies(nobody, state.draws == 0), implies(state.limited, negate(nobody))
    )


@invariant(
    "pending.chooser", "An outstanding decision always has somebody to make it.", ("act.turns",)
)
def decisions_have_a_chooser(state: Table) -> Any:
    nobody = state.chooser == state.setup.players
    nothing = state.pending == Pending.NOTHING
    return all_of(implies(nothing, nobody), implies(nobody, nothing))


@step("setup.faction_stays", "A faction once drawn, its base and its permanent contacts never change.",
      ("setup.faction", "comp.cards"), over=("player",))  # fmt: skip
def faction_stays(before: Table, after: Table, move: Move, player: int) -> Any:
    return any_of(before.faction[player] == NO_FACTION, after.faction[player] == before.faction[player])


@invariant(
    "setup.deal", "Cards are dealt in turn: nobody gets more than are dealt, and none before the player's turn.",
    ("setup.deal", "setup.first"), over=("player",),
)  # fmt: skip
def dealt_hand(state: Table, player: int) -> Any:
    players, hand = state.setup.players, hand_size(state, player)
    later = any_of(
        all_of(state.first == first, state.player == now)
        for first in range(players)
        for now in range(players)
        if (player - first) % players > (now - first) % players
    )
    dealt = where(state.player == player, hand < state.setup.deal, hand <= state.setup.deal)
    return all_of(
        implies(state.phase == Phase.FACTIONS, hand == 0),
        implies(state.phase == Phase.DEAL, all_of(dealt, implies(later, hand == 0))),
    )


@invariant(
    "pending.player", "What is outstanding is the player's in turn to decide, except what a robbed player gives up.",
    ("act.turns", "abl.lookout_deny", "abl.lookout_two", "abl.redevelop", "abl.steal"),
)  # fmt: skip
def decider_is_in_turn(state: Table) -> Any:
    phases = {Pending.DENY: Phase.FIRST_PICK, Pending.LOOK_AT_TWO: Phase.THIRD_DRAW}
    own = [
        implies(
            state.pending == pending,
            all_of(state.chooser == state.player, state.phase == phases.get(pending, Phase.ACTION)),
        )
        for pending in Pending
        if pending not in (Pending.NOTHING, Pending.SURRENDER)
    ]
    quiet = any_of(
        all_of(state.chooser == seat, state.passed[seat]) for seat in range(state.setup.players)
    )
    robbed = all_of(
        state.chooser != state.player, state.phase == Phase.ACTION,
        any_of(negate(quiet), state.under("R-STEAL-PASSED", "allowed")),
    )  # fmt: skip
    return all_of(implies(state.pending == Pending.SURRENDER, robbed), *own)


# -- the round -----------------------------------------------------------------------------------------------------
FOLLOWING = {
    Phase.FACTIONS: (Phase.DEAL, Phase.FIRST_PICK),
    Phase.DEAL: (Phase.FIRST_PICK,),
    Phase.FIRST_PICK: (Phase.SECOND_PICK,),
    Phase.SECOND_PICK: (Phase.LEFTOVER, Phase.THIRD_DRAW),
    Phase.LEFTOVER: (Phase.THIRD_DRAW, Phase.PRODUCTION),
    Phase.THIRD_DRAW: (Phase.LEFTOVER, Phase.PRODUCTION),
    Phase.PRODUCTION: (Phase.ACTION,),
    Phase.ACTION: (Phase.VICTORY_POINTS,),
    Phase.VICTORY_POINTS: (Phase.CLEANUP,),
    Phase.CLEANUP: (Phase.FIRST_PICK, Phase.END),
    Phase.END: (),
}


@step("round.phases", "The phases of a round, and the parts of Lookout, follow each other in their order.",
      ("round.phases", "lookout.third_draw", "abl.lookout_leftover"))  # fmt: skip
def phases_in_order(before: Table, after: Table, move: Move) -> Any:
    return all_of(
        implies(before.phase == phase, any_of(after.phase == following for following in (phase, *after_it)))
        for phase, after_it in FOLLOWING.items()
    )


@step(
    "round.clockwise", "In Lookout and Production the turn goes clockwise, and a part ends when all have had theirs.",
    ("lookout.first_pick", "lookout.second_pick", "lookout.third_draw", "prod.order"),
    actions=("pick_card", "pick_from_deck", "pick_nothing", "deny", "deny_nothing", "third_draw", "draw_one",
             "keep_one", "keep_nothing", "discard_face_up", "produce"),
)  # fmt: skip
def parts_go_clockwise(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    goes_on = any_of(
        all_of(before.player == seat, after.player == (seat + 1) % players) for seat in range(players)
    )
    waits = all_of(after.player == before.player, after.phase == before.phase, after.pending != Pending.NOTHING)
    ends, all_done = after.phase != before.phase, all_of(goes_on, after.player == after.first)
    return all_of(any_of(goes_on, waits), implies(ends, all_done), implies(all_done, ends))


# -- Lookout -------------------------------------------------------------------------------------------------------
def choice_size(state: Table) -> Any:
    """Among how many cards the player in turn should choose; the last in the second part among one fewer."""
    opening, others, second = state.setup.display
    players = state.setup.players
    last = any_of(
        all_of(state.player == seat, state.first == (seat + 1) % players) for seat in range(players)
    )
    first_part = where(state.player == state.first, opening, others)
    return where(state.phase == Phase.FIRST_PICK, first_part, where(last, second - 1, second))


@step("lookout.reveal", "Cards are turned up only to give a player the due choice, and never for the last one.",
      ("lookout.reveal", "lookout.first_pick", "lookout.second_pick"), actions=("reveal",))  # fmt: skip
def reveals_to_the_size(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    last = any_of(
        all_of(before.player == seat, before.first == (seat + 1) % players) for seat in range(players)
    )
    closing = all_of(before.phase == Phase.SECOND_PICK, last)
    return all_of(in_zone(after, Zone.DISPLAY) <= choice_size(before), negate(closing))


@step("lookout.choice", "A player chooses among the due number of cards, unless there are no more to turn up.",
      ("lookout.first_pick", "lookout.second_pick"), actions=("pick_card", "pick_from_deck"))  # fmt: skip
def chooses_among_enough(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    last = any_of(
        all_of(before.player == seat, before.first == (seat + 1) % players) for seat in range(players)
    )
    lying, size = in_zone(before, Zone.DISPLAY), choice_size(before)
    closing = all_of(before.phase == Phase.SECOND_PICK, last)
    trims = before.under("R-DISPLAY-LEFT", "next_pick")
    return all_of(
        any_of(lying >= size, closing, piles_empty(before)), implies(trims, lying <= size)
    )


@invariant(
    "lookout.hand_limit_down", "Under R-HAND discard_down nobody holds more than the limit once Lookout has begun.",
    ("lookout.hand_limit",), over=("player",),
)  # fmt: skip
def hand_is_cut_down(state: Table, player: int) -> Any:
    entering = all_of(
        state.phase == Phase.FIRST_PICK, state.player == state.first, state.draws == 0,
        state.pending == Pending.NOTHING,
    )  # fmt: skip
    applies = all_of(state.under("R-HAND", "discard_down"), in_lookout(state), negate(entering))
    return implies(applies, hand_size(state, player) <= state.setup.hand_limit)


@invariant(
    "lookout.hand_limit_strict", "No player ever holds more than the hand limit during Lookout.",
    ("lookout.hand_limit",), over=("player",), expected="REFUTED",
    explanation="p.3 forbids only the taking of a card. Who enters Lookout with more than ten (by cashing spoils or by "
    "deals that give cards) keeps them, and the sentence that no hand is ever above ten is broken. Under the reading "
    "R-HAND=discard_down it holds.",
)  # fmt: skip
def hand_within_limit(state: Table, player: int) -> Any:
    settled = all_of(in_lookout(state), negate(somebody_over_limit(state)))
    return implies(settled, hand_size(state, player) <= state.setup.hand_limit)


@step(
    "lookout.hand_limit", "Taking a card in Lookout never lifts a hand above the limit, nor a hand already above it.",
    ("lookout.hand_limit", "lookout.first_pick", "lookout.third_draw"), over=("player",),
)  # fmt: skip
def taking_respects_limit(before: Table, after: Table, move: Move, player: int) -> Any:
    old, new = hand_size(before, player), hand_size(after, player)
    return implies(any_of(in_lookout(before), before.limited), any_of(new <= before.setup.hand_limit, new <= old))


@step(
    "lookout.full_hand", "A card taken in Lookout with a full hand goes to the discard pile.",
    ("lookout.hand_limit",), actions=("pick_card", "take_leftover", "keep_one", "draw"),
)  # fmt: skip
def full_hand_discards(before: Table, after: Table, move: Move) -> Any:
    player, card = chosen(move, "player"), chosen(move, "card")
    in_force = before.limited if move.action.name == "draw" else True
    full = all_of(in_force, hand_size(before, player) >= before.setup.hand_limit)
    return all_of(
        implies(full, after.zone[card] == Zone.DISCARD),
        implies(negate(full), held(after, player, card, Zone.HAND)),
    )


@invariant(
    "lookout.display", "Once the leftover is gone no card lies face up until the next Lookout.",
    ("lookout.leftover", "abl.lookout_leftover"), over=("card",),
)  # fmt: skip
def display_until_leftover(state: Table, card: int) -> Any:
    shown = any_of(state.phase == phase for phase in (Phase.FIRST_PICK, Phase.SECOND_PICK, Phase.LEFTOVER))
    third = all_of(state.phase == Phase.THIRD_DRAW, state.under("R-LEFTOVER", "at_end"))
    return implies(state.zone[card] == Zone.DISPLAY, any_of(shown, third))


@invariant("draws.limited", "Whatever is drawn in Lookout falls under the hand limit.", ("lookout.hand_limit",))
def lookout_draws_are_limited(state: Table) -> Any:
    return implies(all_of(before_production(state), state.draws > 0), all_of(in_lookout(state), state.limited))


# -- Production ----------------------------------------------------------------------------------------------------
@step(
    "prod.base", "In Production a base gives its good and the workers.",
    ("prod.base", "prod.store", "faction.ny", "faction.guild", "faction.appalachia", "faction.mutants"),
    actions=("produce",),
)  # fmt: skip
def base_produces(before: Table, after: Table, move: Move) -> Any:
    player = chosen(move, "player")
    old, new = before.base[player], after.base[player]
    given = [
        implies(before.faction[player] == faction, new[good] >= old[good] + 1)
        for faction, good in enumerate(before.setup.factions.base_good)
    ]
    workers = new[Asset.WORKER] >= old[Asset.WORKER] + before.setup.workers
    return implies(before.under("R-BANK", "unlimited"), all_of(workers, *given))


@step(
    "prod.own", "A player's Production changes nothing of another player's.",
    ("prod.order", "prod.store"), over=("player", "card"), actions=("produce",),
)  # fmt: skip
def production_is_own(before: Table, after: Table, move: Move, player: int, card: int) -> Any:
    others = chosen(move, "player") != player
    owned = before.owner[card] == player
    lying = all_of(after.tokens[card] == before.tokens[card], same(before.on_card[card], after.on_card[card]))
    untouched = all_of(
        same(before.base[player], after.base[player]),
        before.base_vp[player] == after.base_vp[player],
        implies(owned, lying),
    )
    moves = all_of(after.zone[card] == before.zone[card], after.owner[card] == before.owner[card])
    return all_of(implies(others, untouched), moves)


# -- attachments ---------------------------------------------------------------------------------------------------
@invariant("cap.attach_base", "At most three spoils and deals lie under a base.", ("cap.attach",), over=("player",))
def base_slots(state: Table, player: int) -> Any:
    return attached(state, player, BASE) <= 3


@invariant("cap.attach", "At most three spoils and deals lie under a location.", ("cap.attach",), over=("location",))
def location_slots(state: Table, host: int) -> Any:
    return count(state.host[card] == host for card in locations(state)) <= 3


@invariant(
    "abl.slots_spoils", "No deal lies under a host for spoils.", ("abl.slots",), over=("location", "location"),
)  # fmt: skip
def spoils_slots(state: Table, card: int, host: int) -> Any:
    is_deal = all_of(state.host[card] == host, state.zone[card] == Zone.DEAL)
    for_spoils = all_of(
        state.setup.deck.ability[host] == Ability.SLOTS_SPOILS, state.under("R-SLOTS-KIND", "by_list")
    )
    return implies(is_deal, negate(for_spoils))


# -- VP ------------------------------------------------------------------------------------------------------------
def points(state: Table, player: int) -> Any:
    """What the player's table is worth (vp.count): a VP a card in play, and the VP tokens, of faces 1 and 2."""
    faces = state.setup.deck.token
    worth = [
        where(held(state, player, card, Zone.PLAY), where(faces[card] == 2, tokens + tokens, tokens) + 1, 0)
        for card, tokens in zip(every_card(state), state.tokens, strict=True)
    ]
    return total(worth) + state.base_vp[player]


@invariant(
    "cap.vp_location", "At most three VP tokens lie on a location, worth at most 6 VP.",
    ("cap.vp_location",), over=("location",),
)  # fmt: skip
def location_vp_cap(state: Table, card: int) -> Any:
    return all_of(state.tokens[card] <= 3, vp_on(state, card) <= 6)


@invariant("cap.vp_leader", "At most five VP tokens lie on a leader.", ("cap.vp_leader",), over=("leader",))
def leader_vp_cap(state: Table, leader: int) -> Any:
    return state.tokens[leader] <= 5


@invariant("act.leader_one", "A player has at most one leader in play.", ("act.leader_one",), over=("player",))
def one_leader(state: Table, player: int) -> Any:
    return count(held(state, player, leader, Zone.PLAY) for leader in leaders(state)) <= 1


@step(
    "leader.triggers", "A leader gains at most one VP token a move, and none in the move that brings it into play.",
    ("leader.triggers",), over=("leader",),
)  # fmt: skip
def one_trigger_a_move(before: Table, after: Table, move: Move, leader: int) -> Any:
    arrives = all_of(before.zone[leader] != Zone.PLAY, after.zone[leader] == Zone.PLAY)
    return all_of(
        after.tokens[leader] <= before.tokens[leader] + 1, implies(arrives, after.tokens[leader] == 0)
    )


@step(
    "vp.never_falls", "What a player would score never becomes less.",
    ("vp.count", "vp.tokens", "act.redevelop_moves", "act.leader_replace"), over=("player",),
)  # fmt: skip
def score_never_falls(before: Table, after: Table, move: Move, player: int) -> Any:
    return points(after, player) >= points(before, player)


@step(
    "act.redevelop_vp", "A redevelopment adds to the base the discarded location's VP tokens and one VP.",
    ("act.redevelop_vp", "act.redevelop_moves", "vp.redeveloped"), actions=("redevelop", "redevelop_at_once"),
)  # fmt: skip
def redevelopment_adds_one(before: Table, after: Table, move: Move) -> Any:
    player, old, new = chosen(move, "player"), chosen(move, "old"), chosen(move, "new")
    extra = where(before.under("R-REDEV-VP", "token_1"), 1, 2)
    deck = before.setup.deck
    to_base = all_of(before.under("R-PROD-VP", "on_base"), before.under("R-AT-ONCE", "everything"))
    produces = any_of(deck.kind[new] == Kind.OPEN, deck.kind[new] == Kind.CLOSED)
    made = where(all_of(to_base, produces), deck.gain[new][Gain.VP], 0)
    return after.base_vp[player] == before.base_vp[player] + vp_on(before, old) + extra + made


@step(
    "act.leader_replace_vp", "Replacing a leader adds to the base the old leader's VP tokens and one VP.",
    ("act.leader_replace", "vp.redeveloped"), actions=("replace_leader",),
)  # fmt: skip
def replacing_adds_one(before: Table, after: Table, move: Move) -> Any:
    player, old = chosen(move, "player"), chosen(move, "old")
    extra = where(before.under("R-REDEV-VP", "token_1"), 1, 2)
    return after.base_vp[player] == before.base_vp[player] + before.tokens[old] + extra


@invariant("vp.recount", "After counting, each marker shows what the table says.", ("vp.count",), over=("player",))
def marker_is_right(state: Table, player: int) -> Any:
    counted = all_of(state.phase == Phase.CLEANUP, state.under("R-ANY-TIME", "own_turn"))
    return implies(counted, state.score[player] == points(state, player))


# -- action phase --------------------------------------------------------------------------------------------------
@invariant("act.turn", "In the action phase the player in turn has not passed.", ("act.pass", "act.turns"))
def turn_of_one_who_has_not_passed(state: Table) -> Any:
    passed = any_of(
        all_of(state.player == player, state.passed[player]) for player in range(state.setup.players)
    )
    return implies(state.phase == Phase.ACTION, negate(passed))


@invariant("act.pass_scope", "Nobody has passed outside the action phase and the count that follows it.", ("act.pass",),
           over=("player",))  # fmt: skip
def passing_is_for_the_round(state: Table, player: int) -> Any:
    during = any_of(state.phase == phase for phase in (Phase.ACTION, Phase.VICTORY_POINTS, Phase.CLEANUP))
    return implies(state.passed[player], during)


@step("act.end", "The action phase ends exactly when the last player passes.", ("act.turns", "act.pass"))
def phase_ends_with_last_pass(before: Table, after: Table, move: Move) -> Any:
    everybody = all_of(after.passed[player] for player in range(after.setup.players))
    ends = after.phase != Phase.ACTION
    return implies(before.phase == Phase.ACTION, all_of(implies(ends, everybody), implies(everybody, ends)))


@step("act.clockwise", "The turn goes to the next player clockwise who has not passed.", ("act.turns",))
def turn_goes_clockwise(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    both = all_of(before.phase == Phase.ACTION, after.phase == Phase.ACTION)
    skipped = all_of(
        implies(
            all_of(before.player == now, after.player == (now + distance) % players),
            after.passed[(now + between) % players],
        )
        for now in range(players)
        for distance in range(2, players)
        for between in range(1, distance)
    )
    return implies(both, skipped)


@step("act.pass_once", "A player passes at most once in a round.", ("act.pass",), actions=("pass_turn",))
def passes_once(before: Table, after: Table, move: Move) -> Any:
    return negate(before.passed[chosen(move, "player")])


@step(
    "act.passed_still", "From passing to the end of the action phase nothing of a player's changes.",
    ("act.pass", "act.opponent_passed", "abl.steal"), over=("player", "card"),
)  # fmt: skip
def passed_player_is_left_alone(before: Table, after: Table, move: Move, player: int, card: int) -> Any:
    sheltered = all_of(before.under("R-STEAL-PASSED", "forbidden"), before.under("R-ANY-TIME", "own_turn"))
    quiet = all_of(
        sheltered, before.phase == Phase.ACTION, after.phase == Phase.ACTION, before.passed[player],
        before.drawer != player,
    )  # fmt: skip
    mine = before.owner[card] == player
    becomes_mine = all_of(negate(mine), after.owner[card] == player)
    untouched = all_of(
        after.zone[card] == before.zone[card],
        after.owner[card] == before.owner[card],
        after.host[card] == before.host[card],
        after.tokens[card] == before.tokens[card],
        same(before.on_card[card], after.on_card[card]),
    )
    own = all_of(
        same(before.base[player], after.base[player]),
        before.base_vp[player] == after.base_vp[player],
        negate(becomes_mine),
        implies(mine, untouched),
    )
    return implies(quiet, own)


@step(
    "act.worker", "Workers sent are as many as printed, one more the second time; each use is counted.",
    ("act.worker", "act.worker_second"), actions=("use_location", "steal", "send_thieves"),
)  # fmt: skip
def workers_sent(before: Table, after: Table, move: Move) -> Any:
    card, workers = chosen(move, "card"), chosen(move, "workers")
    return all_of(
        workers.size() == before.setup.deck.workers[card] + before.used[card],
        after.used[card] == before.used[card] + 1,
    )


@invariant("act.worker_second", "A location is used at most twice a round.", ("act.worker_second",), over=("location",))
def two_uses(state: Table, card: int) -> Any:
    return state.used[card] <= 2


@step(
    "act.redevelop_brick", "A player redevelops with a brick at most once a round; otherwise one token is spent.",
    ("act.redevelop",), actions=("redevelop",),
)  # fmt: skip
def one_brick_redevelopment(before: Table, after: Table, move: Move) -> Any:
    player, means = chosen(move, "player"), chosen(move, "means")
    brick = means.sum_of(lambda source: 1 if source[1] in (Asset.BRICK, Asset.UNIVERSAL) else 0)
    return all_of(
        means.size() == 1,
        any_of(brick == 0, negate(before.redeveloped[player])),
        implies(brick > 0, after.redeveloped[player]),
        implies(after.redeveloped[player], any_of(brick > 0, before.redeveloped[player])),
    )


@step(
    "act.range", "The contacts used reach the card, each of them is unused before and used after.",
    ("act.range", "act.permanent_once", "act.single_discard"), actions=("conquest", "negotiation", "incorporation"),
)  # fmt: skip
def contacts_reach(before: Table, after: Table, move: Move) -> Any:
    colour = ("conquest", "negotiation", "incorporation").index(move.action.name)
    deck, factions = before.setup.deck, before.setup.factions
    permanents, contacts, tokens = (chosen(move, name) for name in ("permanents", "contacts", "tokens"))
    disputed = where(before.under("R-MUTANTS", "three"), 0, 1)
    ranges = [
        (
            used,
            where(
                disputed == 1,
                factions.disputed_range[contact // 3][contact % 3][colour],
                factions.range[contact // 3][contact % 3][colour],
            ),
        )
        for contact, used in permanents.items()
    ]
    ranges += [(used, deck.range[card][colour]) for card, used in contacts.items()]
    reached = total(where(used, value, 0) for used, value in ranges)
    first = Asset.CONQUEST_1 + 3 * colour
    worth = {first: 1, first + 1: 2, first + 2: 3, int(Asset.ANY_1): 1, int(Asset.ANY_3): 3}
    reached = reached + tokens.sum_of(lambda source: worth[int(source[1])])
    spent = [
        implies(used, all_of(negate(before.contact_used[contact]), after.contact_used[contact]))
        for contact, used in permanents.items()
    ]
    spent += [implies(used, after.zone[card] == Zone.DISCARD) for card, used in contacts.items()]
    return all_of(reached >= deck.distance[chosen(move, "card")], *spent)


@step(
    "act.contact_cost", "The prices of all contacts used are paid together, exactly and once.",
    ("act.contact_cost", "act.rebuild_contact"), actions=("conquest", "negotiation", "incorporation"),
)  # fmt: skip
def contacts_are_paid(before: Table, after: Table, move: Move) -> Any:
    permanents, contacts = chosen(move, "permanents"), chosen(move, "contacts")
    price, discards = chosen(move, "price"), chosen(move, "discards")
    deck, factions = before.setup.deck, before.setup.factions
    costs = [(used, factions.price[contact // 3][contact % 3]) for contact, used in permanents.items()]
    costs += [(used, deck.cost[card]) for card, used in contacts.items()]
    tokens = total(where(used, total(cost[: len(Asset)]), 0) for used, cost in costs)
    cards = total(where(used, cost[Cost.CARD], 0) for used, cost in costs)
    return all_of(
        price.size() == tokens,
        discards.size() == cards,
        *[implies(chosen_one, after.zone[card] == Zone.DISCARD) for card, chosen_one in discards.items()],
    )


@step(
    "act.contact_spent", "The contact tokens used for spoils or a deal, and what pays the contacts, leave the base.",
    ("act.range", "act.contact_cost"), over=("asset",), actions=("conquest", "negotiation"),
)  # fmt: skip
def spent_tokens_leave(before: Table, after: Table, move: Move, asset: int) -> Any:
    player = chosen(move, "player")
    spent = chosen(move, "tokens")[BASE, asset] + chosen(move, "price")[BASE, asset]
    located = before.under("R-ICON-WHERE", "locations")  # else features may give for the card
    return implies(located, after.base[player][asset] == before.base[player][asset] - spent)


@step(
    "act.opponent_worker", "A visit leaves as many workers on the table as before, apart from those it makes.",
    ("act.opponent",), actions=("visit",),
)  # fmt: skip
def workers_change_hands(before: Table, after: Table, move: Move) -> Any:
    def workers(state: Table) -> Any:
        on_cards = total(row[Asset.WORKER] for row in state.on_card)
        return total(row[Asset.WORKER] for row in state.base) + on_cards

    made = where(before.under("R-AT-ONCE", "everything"), before.setup.deck.gain[chosen(move, "card")][Asset.WORKER], 0)
    laid = where(before.under("R-VISIT-WORKER", "on_card"), 1, 0)
    return implies(before.under("R-BANK", "unlimited"), workers(after) == workers(before) + made - laid)


@step(
    "act.opponent", "A visit gives the owner a worker and takes nothing from him.",
    ("act.opponent", "act.opponent_passed", "act.opponent_limit", "act.opponent_once", "abl.closed"),
    actions=("visit",),
)  # fmt: skip
def visit_is_fair(before: Table, after: Table, move: Move) -> Any:
    player, owner, card = (chosen(move, name) for name in ("player", "owner", "card"))
    gains = where(before.under("R-VISIT-WORKER", "to_owner"), 1, 0)
    others = [asset for asset in Asset if asset != Asset.WORKER]
    return all_of(
        after.base[owner][Asset.WORKER] == before.base[owner][Asset.WORKER] + gains,
        *[after.base[owner][asset] == before.base[owner][asset] for asset in others],
        negate(before.passed[owner]),
        negate(before.visited[card][player]),
        before.setup.deck.kind[card] == Kind.OPEN,
        after.visits[player] == before.visits[player] + 1,
    )


@invariant(
    "act.opponent_limit", "A player's markers on locations are never more than the visits counted, at most three.",
    ("act.opponent_limit", "act.opponent_once"), over=("player",),
)  # fmt: skip
def visits_within_limit(state: Table, player: int) -> Any:
    markers = count(state.visited[card][player] for card in locations(state))
    return all_of(markers <= state.visits[player], state.visits[player] <= 3)


@step(
    "abl.store_safe", "Goods in a storage or on a combo are never made fewer by another player's action.",
    ("abl.store", "abl.combo", "abl.steal"), over=("location",),
    actions=("conquest", "negotiation", "incorporation", "redevelop", "use_location", "steal", "visit", "trade",
             "discard_and_draw", "pass_turn", "cash_spoils", "exchange", "play_leader", "replace_leader",
             "send_thieves", "redevelop_at_once", "discard_for_vp", "drop_spoils", "drop_deal", "store", "take_out",
             "place_on_combo", "produce"),
)  # fmt: skip
def stored_goods_are_safe(before: Table, after: Table, move: Move, card: int) -> Any:
    ability = before.setup.deck.ability[card]
    bound = all_of(ability == Ability.COMBO, before.under("R-COMBO-FULL", "protected"))
    protected = all_of(
        any_of(ability == Ability.STORE, bound),
        before.zone[card] == Zone.PLAY,
        before.owner[card] != chosen(move, "player"),
    )
    kept = all_of(after.on_card[card][good] >= before.on_card[card][good] for good in GOODS)
    return implies(protected, kept)


@step(
    "abl.store_given", "Who must give up a good to a thief never gives one out of a storage or off a combo.",
    ("abl.store", "abl.combo", "abl.steal"), over=("location",), actions=("surrender",),
)  # fmt: skip
def stored_goods_are_not_given(before: Table, after: Table, move: Move, card: int) -> Any:
    ability = before.setup.deck.ability[card]
    bound = all_of(ability == Ability.COMBO, before.under("R-COMBO-FULL", "protected"))
    return implies(any_of(ability == Ability.STORE, bound), same(before.on_card[card], after.on_card[card]))


# -- Cleanup and end -----------------------------------------------------------------------------------------------
def may_stay(state: Table, card: int, asset: int) -> Any:
    """Whether the card has the keep icon for such a token, or binds it (R-LEADER-TOKEN, R-COMBO-CLEAN)."""
    deck = state.setup.deck
    if deck.type[card] == CardType.LEADER:
        token = asset in (Asset.REDEVELOPMENT, Asset.UNIVERSAL_REDEVELOPMENT)
        return any_of(asset in GOODS, all_of(token, state.under("R-LEADER-TOKEN", "kept")))
    bound = all_of(deck.ability[card] == Ability.COMBO, state.under("R-COMBO-CLEAN", "stay"))
    return all_of(asset in GOODS, any_of(deck.ability[card] == Ability.STORE, bound))


@invariant(
    "clean.assets",
    "Before Production and at the end no token lies on a base and no mark of the last round is left on a player.",
    ("clean.assets", "clean.markers", "clean.payments"), over=("player",),
)  # fmt: skip
def bases_are_clean(state: Table, player: int) -> Any:
    clean = all_of(
        *[amount == 0 for amount in state.base[player]],
        negate(state.passed[player]),
        negate(state.redeveloped[player]),
        implies(state.under("R-VISITS", "per_round"), state.visits[player] == 0),
        *[amount == 0 for amount in state.laid],
    )
    return implies(any_of(before_production(state), state.phase == Phase.END), clean)


@invariant(
    "clean.keep",
    "Before Production and at the end goods lie only on leaders, storages and combos, and no use or visit is counted.",
    ("clean.keep", "clean.payments", "clean.markers"), over=("card",),
)  # fmt: skip
def cards_are_clean(state: Table, card: int) -> Any:
    clean = all_of(
        state.used[card] == 0,
        *[negate(marker) for marker in state.visited[card]],
        *[any_of(amount == 0, may_stay(state, card, asset)) for asset, amount in enumerate(state.on_card[card])],
        *[amount == 0 for amount in state.paid[card]],
    )
    return implies(any_of(before_production(state), state.phase == Phase.END), clean)


@invariant(
    "clean.contacts", "Before Production and at the end no permanent contact counts as used.",
    ("clean.payments", "act.permanent_once"), over=("permanent",),
)  # fmt: skip
def contacts_are_ready(state: Table, permanent: int) -> Any:
    return implies(any_of(before_production(state), state.phase == Phase.END), negate(state.contact_used[permanent]))


@step("clean.vp", "Cleanup takes no VP and moves no card.", ("clean.assets", "vp.tokens"),
      over=("player", "card"), actions=("clean_up",))  # fmt: skip
def cleanup_spares_vp(before: Table, after: Table, move: Move, player: int, card: int) -> Any:
    return all_of(
        after.base_vp[player] == before.base_vp[player],
        after.tokens[card] == before.tokens[card],
        after.zone[card] == before.zone[card],
        after.owner[card] == before.owner[card],
    )


@step("clean.first", "The first-player marker moves one seat to the left at the end of a round, and at no other time.",
      ("clean.first", "setup.first"))  # fmt: skip
def first_player_rotates(before: Table, after: Table, move: Move) -> Any:
    players = before.setup.players
    moves_on = any_of(
        all_of(before.first == seat, after.first == (seat + 1) % players) for seat in range(players)
    )
    next_round = all_of(before.phase == Phase.CLEANUP, after.phase == Phase.FIRST_PICK)
    return where(next_round, moves_on, after.first == before.first)


@invariant(
    "end.trigger", "A round is known to be the last only after somebody has reached the end score in it, and then the "
    "game ends with it.", ("end.trigger",),
)  # fmt: skip
def end_is_triggered(state: Table) -> Any:
    reached = any_of(score >= state.setup.end_score for score in state.score)
    closing = any_of(state.phase == Phase.CLEANUP, state.phase == Phase.END)
    return all_of(
        implies(all_of(state.last_round, state.under("R-EMPTY", "skip")), all_of(reached, closing)),
        implies(state.phase == Phase.END, state.last_round),
        implies(all_of(state.phase == Phase.CLEANUP, reached), state.last_round),
    )


@invariant("end.quiet", "When the game is over nothing is outstanding.", ("end.trigger",))
def nothing_is_outstanding(state: Table) -> Any:
    return implies(state.phase == Phase.END, all_of(state.draws == 0, state.pending == Pending.NOTHING))


@invariant(
    "end.winner", "The winner has most VP; in a tie most cards, then most unused goods and workers; else nobody wins.",
    ("end.winner",), over=("player", "player"),
)  # fmt: skip
def winner_is_best(state: Table, one: int, other: int) -> Any:
    if one == other:
        return True
    score, left = state.score, state.leftover
    hands = hand_size(state, one), hand_size(state, other)
    better = any_of(
        score[one] > score[other],
        all_of(
            score[one] == score[other],
            any_of(hands[0] > hands[1], all_of(hands[0] == hands[1], left[one] > left[other])),
        ),
    )
    return implies(all_of(state.phase == Phase.END, state.winner == one), better)


@invariant(
    "end.decided", "Whoever is better than every other player has won.", ("end.winner",), over=("player",)
)
def best_has_won(state: Table, one: int) -> Any:
    def ahead(other: int) -> Any:
        score, left, hand = state.score, state.leftover, hand_size(state, other)
        third = all_of(mine == hand, left[one] > left[other])
        return any_of(
            score[one] > score[other], all_of(score[one] == score[other], any_of(mine > hand, third))
        )

    mine = hand_size(state, one)
    best = all_of(ahead(other) for other in range(state.setup.players) if other != one)
    return implies(all_of(state.phase == Phase.END, best), state.winner == one)


@invariant(
    "end.leftover", "Counted after Cleanup, only goods and workers still lying there break a tie.",
    ("end.winner", "clean.keep"), over=("player",),
)  # fmt: skip
def leftover_is_what_lies_there(state: Table, player: int) -> Any:
    counted = all_of(state.phase == Phase.END, state.under("R-TIE", "after_cleanup"))
    return implies(counted, state.leftover[player] == goods_and_workers(state, player))


# -- situations that should be reachable ----------------------------------------------------------------------------
@witness("seen.full_host", "A base with three cards under it.", ("cap.attach",), over=("player",))
def full_host(state: Table, player: int) -> Any:
    return attached(state, player, BASE) == 3


@witness("seen.second_host", "Cards lie under a location.", ("abl.slots",), over=("location",))
def second_host(state: Table, host: int) -> Any:
    return any_of(state.host[card] == host for card in locations(state))


@witness("seen.full_hand", "A player in Lookout holds exactly the most cards allowed.", ("lookout.hand_limit",),
         over=("player",))  # fmt: skip
def full_hand(state: Table, player: int) -> Any:
    return all_of(in_lookout(state), hand_size(state, player) == state.setup.hand_limit)


@witness("seen.three_tokens", "A location has all the VP tokens it may have.", ("cap.vp_location",), over=("location",))
def three_tokens(state: Table, card: int) -> Any:
    return state.tokens[card] == 3


@witness("seen.visit", "A visitor's marker lies on a location.", ("act.opponent",), over=("location", "player"))
def visited(state: Table, card: int, player: int) -> Any:
    return state.visited[card][player]


@witness("seen.second_use", "A location has been used twice in a round.", ("act.worker_second",), over=("location",))
def used_twice(state: Table, card: int) -> Any:
    return state.used[card] == 2


@witness("seen.combo", "All three goods of a combo lie on it.", ("abl.combo",), over=("location",))
def combo_is_complete(state: Table, card: int) -> Any:
    is_combo = state.setup.deck.ability[card] == Ability.COMBO
    return all_of(is_combo, state.zone[card] == Zone.PLAY, combo_complete(state, card))


@witness("seen.no_cards", "Deck and discard pile are both empty.", ("lookout.reshuffle",))
def both_piles_empty(state: Table) -> Any:
    return all_of(in_zone(state, Zone.DECK) == 0, in_zone(state, Zone.DISCARD) == 0)


@witness("seen.leader", "A leader has a VP token.", ("leader.triggers",), over=("leader",))
def leader_with_token(state: Table, leader: int) -> Any:
    return state.tokens[leader] > 0


@witness("seen.end", "The game has ended with a winner.", ("end.winner",))
def ended(state: Table) -> Any:
    return all_of(state.phase == Phase.END, state.winner < state.setup.players)


@witness("seen.no_winner", "The game has ended without a winner.", ("end.winner",))
def ended_undecided(state: Table) -> Any:
    return all_of(state.phase == Phase.END, state.winner == state.setup.players)


PROPERTIES = [value for value in list(globals().values()) if type(value).__name__ == "Property"]
