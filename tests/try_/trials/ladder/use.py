import ladder

steps = ladder.Ladder(7)
steps.mark(3)
print("marked", steps.marked())
