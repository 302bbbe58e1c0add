import stamp

print("equal", stamp.equal(b"AB1234", b"AB1234"))
for code in (b"AB12", b"AB1234"):
    try:
        stamp.sum(code)
        print("a sum")
    except (ValueError, BufferError) as error:
        print(type(error).__name__)
