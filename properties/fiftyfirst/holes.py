from properties.hole import Hole

HOLES: tuple[Hole, ...] = ()
