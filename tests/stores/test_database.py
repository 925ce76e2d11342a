"""Queries with many values, which all SQL stores use."""

import sqlite3

from onrecord.stores.database import AT_ONCE, rows_among


def test_rows_of_more_values_than_one_query_takes() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE numbers (n)")
    connection.executemany("INSERT INTO numbers VALUES (?)", [(n,) for n in range(AT_ONCE * 2 + 1)])
    sql = "SELECT n FROM numbers WHERE n > ? AND n IN ({})"
    numbers = [n for (n,) in rows_among(connection, sql, range(AT_ONCE * 2 + 1), 0)]
    connection.close()
    assert sorted(numbers) == list(range(1, AT_ONCE * 2 + 1))


def test_rows_abandoned_by_an_interrupt_end_quietly_after_the_connection_has_closed() -> None:
    connection = sqlite3.connect(":memory:")
    rows = rows_among(connection, "SELECT 1 FROM (SELECT 1 UNION SELECT 2) WHERE 1 IN ({})", [1])
    assert next(iter(rows)) == (1,)
    connection.close()
    del rows  # raised "Cannot operate on a closed database", which Python can only print
