"""Translates errors of language models into this package's classes and messages.

No message repeats the server's words, as they may contain the key or words of a transcript.
"""

from __future__ import annotations

from onrecord.errors import (
    GenerationCutError,
    GenerationError,
    GenerationKeyError,
    GenerationLimitError,
    GenerationPageError,
    GenerationRefusedError,
    GenerationReplyError,
    GenerationTimeoutError,
    GenerationUnreachableError,
)
from onrecord.models.base import CallLimits


class WebPage(Exception):  # noqa: N818 - a signal between two modules, never shown to users
    """The reply is a web page."""


class Redirected(Exception):  # noqa: N818
    """The reply sends the client to another address."""


class Oversized(Exception):  # noqa: N818
    """The reply is longer than the limits of the call allow."""


def timeout_error(who: str, limits: CallLimits) -> GenerationError:
    setting = f" (setting {limits.setting})" if limits.setting else ""
    return GenerationTimeoutError(
        f"{who} did not answer within {limits.seconds:g} s; ask again, or give it more time{setting}"
    )


def cut_error(who: str) -> GenerationError:
    return GenerationCutError(f"{who} broke off before the end of its reply; ask again")


def length_error(who: str) -> GenerationError:
    return GenerationReplyError(f"{who} writes on beyond what was asked for")


def refusal_error(who: str) -> GenerationError:
    return GenerationRefusedError(f"{who}, or a filter before it, refuses to answer this")


def translate_error(error: Exception, who: str, limits: CallLimits) -> GenerationError:
    """Return onrecord's error for another error.

    It is not chained to the original, which holds the request with its headers.
    """
    if isinstance(error, GenerationError):
        return error
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, WebPage):
            return GenerationPageError(
                f"{who} answered with a web page; check its address (setting llm.base_url)"
            )
        if isinstance(link, Redirected):
            return GenerationUnreachableError(
                f"{who} has moved: the server redirects to another address, which onrecord does not follow; "
                "set llm.base_url"
            )
        if isinstance(link, Oversized):
            return length_error(who)
        link = link.__cause__ or link.__context__
    return _translate_kind(error, who, limits) or GenerationReplyError(
        f"{who} answered with what is no reply ({type(error).__name__})"
    )


def _translate_kind(error: Exception, who: str, limits: CallLimits) -> GenerationError | None:
    from pydantic_ai import exceptions as kinds

    if isinstance(error, (kinds.ModelRequestTimeout, kinds.ModelTimeoutError, TimeoutError)):
        return timeout_error(who, limits)
    if isinstance(error, kinds.ModelQuotaExceededError):
        return GenerationLimitError(f"the credit for {who} is used up")
    if isinstance(error, kinds.ModelRateLimitError):
        wait = f" for {error.retry_after:g} s" if error.retry_after else ""
        return GenerationLimitError(f"{who} takes no more requests{wait}: its limit is reached")
    if isinstance(error, kinds.ModelAuthenticationError):
        return GenerationKeyError(f"{who} refused the key; set the right one in the environment")
    if isinstance(error, kinds.ContentFilterError):
        return refusal_error(who)
    if isinstance(error, kinds.ModelConnectionError):
        if error.phase in (None, "connect", "pool"):
            return GenerationUnreachableError(
                f"nobody answers for {who}; is it running, and the address right?"
            )
        return cut_error(who)
    if isinstance(error, kinds.ModelAPIError):
        return _status_error(error, who)
    if isinstance(error, kinds.UnexpectedModelBehavior):
        return GenerationReplyError(f"{who} did not give what it was asked for in a form that can be read")
    return None


def _status_error(error: Exception, who: str) -> GenerationError:
    from pydantic_ai import exceptions as kinds

    if isinstance(error, kinds.ModelContextWindowExceededError):
        return GenerationError(f"what was sent is too long for {who}; lower the setting answer.tokens")
    status = getattr(error, "status_code", None)
    if isinstance(error, kinds.ModelNotFoundError):
        return GenerationError(f"the server knows no {who.removeprefix('the ')}, or the address is wrong")
    if status:
        return GenerationError(f"the server of {who} answered with the status {status}; ask again later")
    return cut_error(who)
