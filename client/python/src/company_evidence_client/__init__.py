"""Client of the company evidence service.

It creates idempotency keys, repeats unanswered requests with the same key, polls unfinished
operations, and goes from page to page.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, TypeVar

import httpx

from .types import (
    Allowance,
    Company,
    CompanyLookupResult,
    CompanySearchResult,
    Observation,
    ObservationListResult,
    Operation,
    OperationResult,
    SearchFilters,
    UsageReport,
)

__all__ = ["ConnectionFailed", "EvidenceClient", "ServiceError"]

Page = TypeVar("Page", CompanySearchResult, ObservationListResult)
"""Answer that may have a further page."""

RETRIED = frozenset(
    {
        "request_limit_reached",
        "delivery_limit_reached",
        "too_many_requests",
        "request_timeout",
        "internal_error",
        "unavailable",
    }
)
"""Codes of errors for which the same request with the same key may succeed later."""

BACKOFF_SECONDS = 0.25
"""Upper bound of the first back-off. It doubles after each attempt."""

BACKOFF_SECONDS_MAX = 20.0

POLL_SECONDS = 1.0
"""Seconds until the next poll if an answer has no Retry-After."""


class ServiceError(Exception):
    """Error that the service has answered. Programs decide by `code`."""

    def __init__(self, status: int, body: Any, headers: httpx.Headers, request_key: str | None):
        error = body["error"]
        super().__init__(error["message"])
        self.code: str = error["code"]
        self.status = status
        self.request_id = headers.get("request-id")
        self.request_key = request_key
        self.retry_at: str | None = error.get("retry_at")
        self.retry_after_seconds: float | None = error.get("retry_after_seconds")
        self.usage: Operation | None = body.get("usage")
        self.request_allowance: Allowance | None = body.get("request_allowance")


class ConnectionFailed(Exception):
    """Error of a request that got no complete answer. Repeat it with its `request_key`."""

    def __init__(self, message: str, request_key: str | None):
        super().__init__(message)
        self.request_key = request_key


class EvidenceClient:
    """Client of one service, with one key."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        attempts: int = 5,
        timeout_seconds: float = 60,
        max_wait_seconds: float = 60,
        pause: Callable[[float], None] = time.sleep,
    ):
        """Creates a client.

        `max_wait_seconds` bounds Retry-After: if an answer requires more, the call raises its error.
        """
        # A file with a key ends with a line end.
        key = key.strip() if key else ""
        if not key:
            raise ValueError("An API key is required, for example from CE_API_KEY.")
        # No header can contain other characters, as the … of a key that is copied from a document.
        if not all("!" <= character <= "~" for character in key):
            raise ValueError("`key` is no API key: it has characters outside visible ASCII.")
        self._attempts = attempts
        self._max_wait_seconds = max_wait_seconds
        self._pause = pause
        # A redirect would send the key to another address.
        self._http = httpx.Client(
            base_url=url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {key}", "Accept": "application/json"},
            timeout=timeout_seconds,
            follow_redirects=False,
        )

    def __enter__(self) -> EvidenceClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def search_companies(
        self,
        query: str,
        *,
        filters: SearchFilters | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        background: bool = False,
        request_key: str | None = None,
    ) -> CompanySearchResult:
        """Searches companies. Waits for the result, also with `background=True`."""
        request = {"query": query, "filters": filters, "limit": limit, "cursor": cursor}
        body: dict[str, Any] = {name: value for name, value in request.items() if value is not None}
        if background:
            body["background"] = True
        result: CompanySearchResult = self._metered(
            "POST", "api/companies/search", request_key, json=body
        )
        return result

    def search_pages(
        self,
        query: str,
        *,
        filters: SearchFilters | None = None,
        limit: int | None = None,
        request_key: str | None = None,
    ) -> Iterator[CompanySearchResult]:
        """Yields pages. Each page is a separate request and costs units."""

        def page(key: str, cursor: str | None) -> CompanySearchResult:
            return self.search_companies(
                query, filters=filters, limit=limit, cursor=cursor, request_key=key
            )

        return _pages(page, request_key)

    def get_companies(
        self,
        *,
        ids: list[int] | None = None,
        domains: list[str] | None = None,
        request_key: str | None = None,
    ) -> CompanyLookupResult:
        """Looks companies up by ids or by hostnames."""
        params = {"ids[]": ids or [], "domains[]": domains or []}
        result: CompanyLookupResult = self._metered(
            "GET", "api/companies", request_key, params=params
        )
        return result

    def list_observations(
        self,
        domains: list[str],
        since: str,
        *,
        kinds: list[str] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        request_key: str | None = None,
    ) -> ObservationListResult:
        """Lists the observations about hostnames that were recorded after `since`."""
        params: dict[str, Any] = {"domains[]": domains, "since": since, "kinds[]": kinds or []}
        if limit is not None:
            params["limit"] = limit
        if cursor is not None:
            params["cursor"] = cursor
        result: ObservationListResult = self._metered(
            "GET", "api/observations", request_key, params=params
        )
        return result

    def observation_pages(
        self,
        domains: list[str],
        since: str,
        *,
        kinds: list[str] | None = None,
        limit: int | None = None,
        request_key: str | None = None,
    ) -> Iterator[ObservationListResult]:
        """Yields pages. To continue later, pass the last page's `as_of` as `since`."""

        def page(key: str, cursor: str | None) -> ObservationListResult:
            return self.list_observations(
                domains, since, kinds=kinds, limit=limit, cursor=cursor, request_key=key
            )

        return _pages(page, request_key)

    def get_company(self, id: int) -> Company:
        """Reads one company. It costs nothing."""
        company: Company = self._send("GET", f"api/companies/{id}")[0]["company"]
        return company

    def get_observation(self, id: int) -> Observation:
        """Reads one observation. It costs nothing."""
        observation: Observation = self._send("GET", f"api/observations/{id}")[0]["observation"]
        return observation

    def get_usage(self) -> UsageReport:
        """Reads the usage and the limits of the subscription. It costs nothing."""
        report: UsageReport = self._send("GET", "api/usage")[0]
        return report

    def wait_for_operation(self, id: int) -> OperationResult:
        """Polls an operation until it is finished, and returns its result."""
        while True:
            body, wait = self._send("GET", f"api/usages/{id}")
            if wait is None:
                result: OperationResult = body
                return result
            self._pause(wait)

    def _metered(self, method: str, path: str, request_key: str | None, **content: Any) -> Any:
        key = str(uuid.uuid4()) if request_key is None else request_key
        body, wait = self._send(method, path, key, **content)
        if wait is None:
            return body
        self._pause(wait)
        return self.wait_for_operation(body["usage"]["id"])

    def _send(
        self, method: str, path: str, request_key: str | None = None, **content: Any
    ) -> tuple[Any, float | None]:
        """Repeats a request until it succeeds or no retry is allowed.

        Returns the body, and the seconds until the next poll if the operation is unfinished.
        """
        headers = {} if request_key is None else {"Idempotency-Key": request_key}
        # Content that is no JSON raises here. In an attempt, it would count as a broken answer.
        request = self._http.build_request(method, path, headers=headers, **content)
        attempt = 0
        while True:
            attempt += 1
            wait = 0.0
            failure: Exception
            try:
                answer = self._http.send(request)
                retry_after = _seconds_of(answer.headers.get("retry-after"))
                body = answer.json()
                if answer.is_success:
                    return body, (retry_after or POLL_SECONDS) if answer.status_code == 202 else None
                failure = ServiceError(answer.status_code, body, answer.headers, request_key)
                wait = failure.retry_after_seconds or retry_after or 0.0
                if failure.code not in RETRIED or wait > self._max_wait_seconds:
                    raise failure
            except httpx.TransportError as error:
                failure = ConnectionFailed(
                    f"No answer from {self._http.base_url}: {error}", request_key
                )
                failure.__cause__ = error
            except (KeyError, TypeError, ValueError) as error:
                # The body is incomplete, or a proxy has answered.
                failure = ConnectionFailed(
                    f"The answer has status {answer.status_code} and is not the service's.",
                    request_key,
                )
                failure.__cause__ = error
                if 300 <= answer.status_code < 500:
                    raise failure from error
            if attempt >= self._attempts:
                raise failure
            backoff = min(BACKOFF_SECONDS * 2 ** (attempt - 1), BACKOFF_SECONDS_MAX)
            self._pause(wait + random.random() * backoff)


def _pages(page: Callable[[str, str | None], Page], request_key: str | None) -> Iterator[Page]:
    """Yields pages until one has no next cursor. Later pages append `/2`, `/3` to the key."""
    cursor: str | None = None
    number = 1
    while True:
        suffix = "" if number == 1 else f"/{number}"
        key = str(uuid.uuid4()) if request_key is None else f"{request_key}{suffix}"
        answer = page(key, cursor)
        yield answer
        cursor = answer["next_cursor"]
        if cursor is None:
            return
        number += 1


def _seconds_of(text: str | None) -> float | None:
    """Reads Retry-After, which is a number of seconds or a date."""
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
