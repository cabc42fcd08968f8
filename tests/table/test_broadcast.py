"""Listeners and their queues."""

from companion.table.broadcast import QUEUE_LIMIT, Broadcaster, Update


def update(number: int) -> Update:
    return Update({"position": number}, [])


def test_first_update() -> None:
    """A listener first receives the present snapshot, then the updates, in order."""
    streams = Broadcaster()
    listener = streams.subscribe(lambda: update(0))
    streams.publish(update(1))
    streams.publish(update(2))

    assert [update(0), update(1), update(2)] == [listener.get(0), listener.get(0), listener.get(0)]
    assert listener.get(0) is None
    assert not listener.closed


def test_slow_listener() -> None:
    """A listener whose queue is full is dropped at once, and no other is delayed or loses
    anything.
    """
    streams = Broadcaster()
    slow, quick = streams.subscribe(lambda: update(0)), streams.subscribe(lambda: update(0))
    received = [quick.get(0)]
    for number in range(1, QUEUE_LIMIT + 10):
        streams.publish(update(number))
        received.append(quick.get(0))

    assert slow.closed
    assert slow.get(0) is None
    assert [update(number) for number in range(QUEUE_LIMIT + 10)] == received
    assert 1 == len(streams)


def test_close() -> None:
    """A closed listener is removed; when the table closes, queued updates are still delivered."""
    streams = Broadcaster()
    closed, last = streams.subscribe(lambda: update(0)), streams.subscribe(lambda: update(0))
    closed.close()
    streams.close()

    assert closed.closed
    assert not last.closed
    assert update(0) == last.get(0)
    assert last.closed
    assert 0 == len(streams)
