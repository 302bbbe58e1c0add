import motto

for number in range(motto.lines()):
    print(motto.line(number))
