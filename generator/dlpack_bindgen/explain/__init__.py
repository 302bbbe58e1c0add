"""The text of the command `explain`: what each class and function of a spec becomes."""
