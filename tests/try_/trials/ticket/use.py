import ticket

print("ticket", ticket.print(7)[:3])
