import notch

print("deepest", notch.Notch(4).deepest())
