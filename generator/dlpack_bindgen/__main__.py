import sys

from dlpack_bindgen.cli import main

if __name__ == "__main__":
    sys.exit(main())
