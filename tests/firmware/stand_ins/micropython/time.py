def sleep_us(count):
    assert count > 0
