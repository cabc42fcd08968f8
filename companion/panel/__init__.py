"""The box on the table: a button, a lamp and a piezo, which know nothing but what everybody may
know.
"""
