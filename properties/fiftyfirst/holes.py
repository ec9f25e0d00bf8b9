"""Holes of the rulebook: what its text leaves open, or lets happen that it may not intend, each with what shows it.

In our own words, for who writes the rules. What an open question of `readings.toml` covers refers to it and is shown by
the game that tells its answers apart; the others have a situation, or a move, that a shortest game is found to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.fiftyfirst.table import (
    BASE,
    Pending,
    Phase,
    Table,
    Zone,
    hand_size,
    held,
    in_zone,
    leaders,
    locations,
    undisturbed,
)  # fmt: skip
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, Gain, Icon, Kind
from model.language import Move, Selection, all_of, any_of, negate, total
from properties.declaration import Property, step, witness
from properties.fiftyfirst.situations import chosen
from properties.hole import Hole

CONQUESTS = (Asset.CONQUEST_1, Asset.CONQUEST_2, Asset.CONQUEST_3)


def _never(
    id: str, clauses: tuple[str, ...], actions: tuple[str, ...]
) -> Callable[[Callable[[Table, Table, Move], Any]], Property]:
    """A kind of move that is shown by a game in which it happens; the function says when it is of that kind."""

    def decorate(happens: Callable[[Table, Table, Move], Any]) -> Property:
        def kept(before: Table, after: Table, move: Move) -> Any:
            return negate(all_of(happens(before, after, move)))

        made: Property = step(id, "No such move is made.", clauses, actions=actions)(kept)
        return made

    return decorate


# -- situations --------------------------------------------------------------------------------------------------------
@witness("hole.loop", "A player can conquer and cash one card for ever.", ("act.free_slots_any_time",),
         over=("player",))  # fmt: skip
def conquest_loop(state: Table, player: int) -> Any:
    """In turn, the others passed, nothing to draw; the player has a card and the token that the card brings back."""
    deck = state.setup.deck
    others = all_of(state.passed[other] for other in range(state.setup.players) if other != player)
    alone = all_of(undisturbed(state), state.phase == Phase.ACTION, state.player == player, others)
    empty = all_of(in_zone(state, Zone.DECK) == 0, in_zone(state, Zone.DISCARD) == 0)
    returning = any_of(
        all_of(held(state, player, card, Zone.HAND), state.base[player][token] > 0)
        for card in locations(state)
        for reach, token in enumerate(CONQUESTS, 1)
        if deck.spoils[card][token] and deck.spoils[card][Gain.CARD] == 1 and reach >= deck.distance[card]
    )
    return all_of(alone, empty, returning)


@witness("hole.idle_round", "A round is over and nobody has a point.", ("end.trigger",))
def idle_round(state: Table) -> Any:
    idle = all_of(state.zone[card] != Zone.PLAY for card in locations(state))
    points = all_of(score == 0 for score in state.score)
    return all_of(state.first == 1, state.phase == Phase.FIRST_PICK, points, idle, negate(state.last_round))


@witness("hole.copies", "A player has two cards of one name in play.", ("act.worker_second",), over=("player",),
         prove=False)  # fmt: skip  # names tell cards of a kind apart, which no proof by representatives allows
def two_copies(state: Table, player: int) -> Any:
    names = state.setup.deck.name
    cards = locations(state)
    return any_of(
        all_of(held(state, player, one, Zone.PLAY), held(state, player, other, Zone.PLAY))
        for place, one in enumerate(cards) for other in cards[place + 1 :] if names[one] == names[other]
    )  # fmt: skip


@witness("hole.two_leftovers", "Two players may claim the leftover card.", ("abl.lookout_leftover",))
def two_claim_leftover(state: Table) -> Any:
    ability = state.setup.deck.ability
    owners = [
        any_of(held(state, player, card, Zone.PLAY) for card in locations(state)
               if ability[card] == Ability.LOOKOUT_LEFTOVER)
        for player in _players(state)
    ]  # fmt: skip
    return all_of(state.phase == Phase.LEFTOVER, *owners[:2])


@witness("hole.nothing_to_steal", "A thief has workers, and no opponent a good.", ("abl.steal",), over=("player",))
def nothing_to_steal(state: Table, player: int) -> Any:
    deck = state.setup.deck
    thief = any_of(
        held(state, player, card, Zone.PLAY) for card in locations(state) if deck.ability[card] == Ability.STEAL
    )
    bare = all_of(
        total(state.base[other][good] for good in GOODS) == 0 for other in _players(state) if other != player
    )
    acting = all_of(state.phase == Phase.ACTION, state.player == player, undisturbed(state))
    return all_of(acting, thief, bare, state.base[player][Asset.WORKER] >= 2)


# -- moves -------------------------------------------------------------------------------------------------------------
@_never("hole.used_then_replaced", ("act.worker_second", "act.redevelop"), ("redevelop", "redevelop_at_once"))
def used_then_replaced(before: Table, after: Table, move: Move) -> Any:
    old, new = chosen(move, "old"), chosen(move, "new")
    fresh = all_of(before.setup.deck.kind[new] == Kind.ACTION, after.used[new] == 0)
    return all_of(before.used[old] > 0, fresh)


@_never("hole.visited_then_replaced", ("act.opponent_once", "act.redevelop"), ("redevelop", "redevelop_at_once"))
def visited_then_replaced(before: Table, after: Table, move: Move) -> Any:
    return any_of(before.visited[chosen(move, "old")][visitor] for visitor in _players(before))


@_never("hole.combo_freed", ("abl.combo", "act.redevelop_moves"), ("redevelop", "redevelop_at_once"))
def combo_freed(before: Table, after: Table, move: Move) -> Any:
    old = chosen(move, "old")
    bound = total(before.on_card[old][good] for good in GOODS) > 0
    return all_of(before.setup.deck.ability[old] == Ability.COMBO, bound)


@_never("hole.unwanted_worker", ("act.opponent",), ("visit",))
def unwanted_worker(before: Table, after: Table, move: Move) -> Any:
    owner = chosen(move, "owner")
    others = all_of(before.passed[other] for other in _players(before) if other not in (owner, chosen(move, "player")))
    return all_of(before.base[owner][Asset.WORKER] == 0, after.base[owner][Asset.WORKER] > 0, others)


@_never("hole.deny_after_draw", ("abl.lookout_deny", "abl.lookout_deck"), ("pick_from_deck",))
def deny_after_draw(before: Table, after: Table, move: Move) -> Any:
    return after.pending == Pending.DENY


@_never("hole.display_short", ("lookout.first_pick", "lookout.no_faceup"), ("pick_nothing",))
def display_short(before: Table, after: Table, move: Move) -> Any:
    return in_zone(before, Zone.DECK) + in_zone(before, Zone.DISCARD) == 0


@_never("hole.free_denial", ("lookout.hand_limit", "lookout.first_pick"), ("pick_card",))
def free_denial(before: Table, after: Table, move: Move) -> Any:
    return after.zone[chosen(move, "card")] == Zone.DISCARD


@_never("hole.two_at_limit", ("abl.lookout_two", "lookout.hand_limit"), ("keep_one",))
def two_at_limit(before: Table, after: Table, move: Move) -> Any:
    full = hand_size(before, chosen(move, "player")) >= before.setup.hand_limit
    return all_of(full, after.zone[chosen(move, "card")] == Zone.DISCARD)


@_never("hole.universal_on_combo", ("abl.combo",), ("place_on_combo",))
def universal_on_combo(before: Table, after: Table, move: Move) -> Any:
    good, token = chosen(move, "good"), chosen(move, "token")
    if good == Asset.UNIVERSAL:
        return False
    return any_of(amount > 0 for source, amount in token.items() if source[1] == Asset.UNIVERSAL)


@_never("hole.counted_card_replaced", ("abl.per_icon", "act.redevelop"), ("redevelop", "redevelop_at_once"))
def counted_card_replaced(before: Table, after: Table, move: Move) -> Any:
    deck, old, player = before.setup.deck, chosen(move, "old"), chosen(move, "player")
    return any_of(
        all_of(held(before, player, feature, Zone.PLAY), held(after, player, feature, Zone.PLAY))
        for feature in locations(before)
        if deck.ability[feature] == Ability.PER_ICON
        and any(deck.counts_icon[feature][icon] == 1 and deck.icons[old][icon] == 1 for icon in Icon)
    )


@_never("hole.gun_of_the_replaced", ("act.leader_replace", "leader.goods"), ("replace_leader",))
def gun_of_the_replaced(before: Table, after: Table, move: Move) -> Any:
    old, gun = chosen(move, "old"), chosen(move, "gun")
    return any_of(amount > 0 for source, amount in gun.items() if source[0] != BASE and source[0] == old)


@_never("hole.second_redevelopment", ("act.redevelop", "abl.redevelop"), ("redevelop_at_once",))
def second_redevelopment(before: Table, after: Table, move: Move) -> Any:
    return before.redeveloped[chosen(move, "player")]


@_never("hole.paid_with_itself", ("act.rebuild_contact", "act.incorporation"), ("incorporation",))
def paid_with_itself(before: Table, after: Table, move: Move) -> Any:
    discards: Selection = chosen(move, "discards")
    return discards[chosen(move, "card")]


@_never("hole.laid_on_leader", ("leader.goods", "clean.keep"), ())
def laid_on_leader(before: Table, after: Table, move: Move) -> Any:
    """A good comes to lie on a leader that was in play before the move and has just gained it."""
    return any_of(
        all_of(before.zone[leader] == Zone.PLAY, after.on_card[leader][good] > before.on_card[leader][good])
        for leader in leaders(before) for good in GOODS
    )  # fmt: skip


@_never("hole.no_winner", ("end.winner",), ("clean_up",))
def no_winner(before: Table, after: Table, move: Move) -> Any:
    return all_of(after.phase == Phase.END, after.winner == after.setup.players)


def _players(state: Table) -> range:
    return range(state.setup.players)


HOLES: tuple[Hole, ...] = (
    Hole(
        "endless-action-phase",
        "Spoils that bring a conquest contact and a card (Guardhouse) can bring themselves back: conquer the card, "
        "discard it at once for its red part, and with deck and discard pile otherwise empty draw the same card "
        "again.",
        ("act.free_slots_any_time", "act.conquest", "lookout.reshuffle"),
        "Once the others have passed, the player is in the same position again after each round of this, so the "
        "action phase need not end.",
        readings=("R-CASH",), shown=conquest_loop,
    ),
    Hole(
        "endless-game", "Nothing makes anybody score: all may pass in every round.", ("end.trigger", "act.pass"),
        "The game ends by points only, so it need not end; the deck's running out does not end it either (R-EMPTY).",
        readings=("R-EMPTY",), shown=idle_round,
    ),
    Hole(
        "any-time", "Are spoils cashed 'any time' also in another's turn, after passing, or between counting and "
        "Cleanup?",
        ("act.free_slots_any_time", "act.pass"), readings=("R-ANY-TIME",),
    ),
    Hole(
        "dropped-deal", "Is a deal that makes room lost, or paid once more? And may attached cards change their hosts?",
        ("act.free_slots_any_time",), "Changing hosts is not offered: no sentence allows it.",
        readings=("R-DROP-DEAL",),
    ),
    Hole(
        "host-redeveloped", "A host with cards under it is redeveloped.", ("act.redevelop_moves",),
        readings=("R-ATTACHED",),
    ),
    Hole(
        "combo-redeveloped",
        "A combo with goods on it is redeveloped: one page says that they are bound until complete, another that the "
        "goods of the old location go to the base.",
        ("abl.combo", "act.redevelop_moves"), "In the model the later rule wins: the goods come free.",
        shown=combo_freed,
    ),
    Hole(
        "redevelopment-refund", "A good paid on a trader comes back when the trader is redeveloped, and is spent "
        "again.",
        ("act.redevelop_moves", "clean.payments"), readings=("R-REDEV-TOKENS",),
    ),
    Hole(
        "fresh-location", "The new location is unused: in one place there can be four uses in a round.",
        ("act.worker_second", "act.redevelop"),
        "A use belongs to the card, not to its place; the new card may be used twice again.", shown=used_then_replaced,
    ),
    Hole(
        "visited-location",
        "A visited location is redeveloped in the same round: where does the visitor's marker lie until Cleanup, and "
        "may the visitor come again?",
        ("act.opponent_once", "act.redevelop", "clean.markers"),
        "The marker stays counted as one of the visitor's three; the new card may be visited again.",
        shown=visited_then_replaced,
    ),
    Hole(
        "three-visitors",
        "No location works more than twice a round, says one page; several opponents may visit the same, says "
        "another: with four players that makes three visits beside the owner's Production.",
        ("act.worker_second", "act.opponent_once"), "The model reads the first as a rule on workers of the owner only.",
        textual="It takes three visitors; the small set-ups are for two, and with two the sentences don't meet.",
    ),
    Hole(
        "three-times-per-player", "'Three times per player' may also mean three times with each opponent.",
        ("act.opponent_limit", "comp.unlimited"),
        textual="With the markers as the limit the two are the same for two players; the text alone would have to say.",
    ),
    Hole(
        "unwanted-worker",
        "A visitor's worker can't be refused. Visiting the last opponent who has not passed gives that player an "
        "action.",
        ("act.opponent", "act.pass"), "So the order of passing is a weapon.", shown=unwanted_worker,
    ),
    Hole(
        "two-leftovers", "Two players have the ability that takes the leftover card.",
        ("abl.lookout_leftover", "lookout.leftover"),
        "In turn order the first takes it; the later one finds none and draws.", readings=("R-LEFTOVER",),
        shown=two_claim_leftover,
    ),
    Hole(
        "deny-after-draw", "A player who drew the first card from the deck instead of choosing, has that player "
        "'chosen'?",
        ("abl.lookout_deny", "abl.lookout_deck"), "The model lets such a player deny a card.", shown=deny_after_draw,
    ),
    Hole(
        "display-short", "Deck and discard pile are too short for the display: somebody finds no card to choose.",
        ("lookout.first_pick", "lookout.no_faceup", "lookout.reshuffle"), "That player gets nothing.",
        readings=("R-EMPTY",), shown=display_short,
    ),
    Hole(
        "free-denial", "With a full hand a pick takes nothing and throws away the best card of the display.",
        ("lookout.hand_limit", "lookout.first_pick"), readings=("R-LIMIT-CARD",), shown=free_denial,
    ),
    Hole(
        "two-cards-at-the-limit", "Who looks at two cards and keeps one, with a full hand, can keep neither.",
        ("abl.lookout_two", "lookout.hand_limit"), "Both are discarded.", shown=two_at_limit,
    ),
    Hole(
        "nothing-to-steal", "No opponent has a good: may the workers be paid for nothing? (And a trade for a lacking "
        "good?)",
        ("abl.steal", "act.trade"), "The model offers no theft then.", readings=("R-BANK",), shown=nothing_to_steal,
    ),
    Hole(
        "universal-on-combo", "A universal good is placed on a combo: does it stand for the named good, and for good?",
        ("abl.combo", "abl.store"), "It becomes the good that it stands for.", shown=universal_on_combo,
    ),
    Hole(
        "full-card", "The cost is paid for a VP token that finds no room; a complete combo on a full card stays for "
        "ever.",
        ("cap.vp_location", "cap.vp_leader"), readings=("R-TRIGGER-CAP",),
    ),
    Hole(
        "counted-card-replaced",
        "A card that a feature has paid for is redeveloped: nothing is taken back, and the same card, played again, "
        "is paid for again.",
        ("abl.per_icon", "act.redevelop"), readings=("R-ICON-PAY",), shown=counted_card_replaced,
    ),
    Hole(
        "leader-in-the-same-round", "The sentence about a leader's icon names 'the same round' without saying of what.",
        ("leader.triggers",), "The model gives a token for every event while the leader is in play.",
        textual="The sentence is garbled; there is no second meaning to run.",
    ),
    Hole(
        "leaders-in-a-row",
        "A gun and a leader card are a VP each time, and the gun may lie on the very leader to be replaced.",
        ("act.leader_replace", "leader.goods"), shown=gun_of_the_replaced,
    ),
    Hole(
        "unused-goods-in-a-tie", "Do goods in storage, on leaders and on combos count as unused? Is a tie of three "
        "no win?",
        ("end.winner",), "All goods count, wherever they lie; tied to the end, nobody wins.", readings=("R-TIE",),
        shown=no_winner,
    ),
    Hole(
        "second-redevelopment", "Does a redevelopment by ability cost the brick, and is it the one of the round?",
        ("abl.redevelop", "act.redevelop"), "Neither, in the model.", readings=("R-REDEV-ICON",),
        shown=second_redevelopment, under={"R-REDEV-ICON": "at_once"},
    ),
    Hole(
        "price-within-an-action", "May spoils be cashed between two contacts of one action, to pay the second?",
        ("act.contact_cost", "act.free_slots_any_time"), readings=("R-ANY-TIME",),
        textual="An action is one move in the model, as the rulebook speaks of it; what is gained before it can pay.",
    ),
    Hole(
        "paid-with-itself", "Might the card that the rebuilding contact discards be the very one that is played?",
        ("act.rebuild_contact", "act.incorporation"), "It must be another one.", shown=paid_with_itself,
    ),
    Hole(
        "goods-pile-up", "A keep icon lets goods pile up, a storage holds three; may more be laid on a leader later?",
        ("clean.keep", "abl.store", "leader.goods"), "A leader keeps what it brought, and gets no more.",
        shown=laid_on_leader,
    ),
    Hole(
        "copies", "Two copies of one location: are uses, visits, tokens and slots counted for each?",
        ("act.worker_second", "act.opponent_once", "cap.vp_location"), "Each copy is a card of its own.",
        shown=two_copies,
    ),
)  # fmt: skip
