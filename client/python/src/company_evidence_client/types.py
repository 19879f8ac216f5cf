"""Types of the service's OpenAPI document. `deno task client` writes this file."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, Union


class CompanySearchRequest(TypedDict):
    "A company search."
    query: str
    "The question, in English or French, as one would say it."
    filters: NotRequired[SearchFilters]
    "Default: {}."
    limit: NotRequired[int]
    "Companies per page, at most the plan's page size: by default 25 (builder) or 50 (professional). Default: 10."
    cursor: NotRequired[Union[str, None]]
    "The next_cursor of the previous page. All other inputs must be the same as for that page."
    background: NotRequired[bool]
    "true: the answer is 202 at once, and the search runs later. Poll the operation. Default: false."


class SearchFilters(TypedDict):
    "Values within a field are alternatives, fields must all agree, empty lists do not restrict. Unknown ids and hostnames match nothing."
    countries: NotRequired[list[Literal["CA", "US"]]]
    "Where an observation is located; any of them."
    kinds: NotRequired[list[Literal["procurement_request", "facility_expansion"]]]
    "Kinds of observations; any of them."
    demand_classes: NotRequired[list[Literal["explicit_request", "proxy", "structural"]]]
    "Classes of demand, by how directly an observation shows it; any of them."
    occurred_after: NotRequired[str]
    "The event is later than this ISO 8601 instant with an offset."
    observed_after: NotRequired[str]
    "It was observed later than this ISO 8601 instant with an offset."
    company_ids: NotRequired[list[int]]
    "Only these companies."
    exclude_company_ids: NotRequired[list[int]]
    "None of these companies; exclusions win."
    domains: NotRequired[list[str]]
    "Only companies with one of these hostnames, compared without case and final dot."
    exclude_domains: NotRequired[list[str]]
    "No company with one of these hostnames; exclusions win."


class Operation(TypedDict):
    "One metered request, with its outcome and its cost."
    id: int
    "Id for polling the operation: GET /api/usages/{id}."
    status: Literal["pending", "processing", "delivered", "failed"]
    "pending and processing come with status 202; the other two are final."
    request_key: str
    "The idempotency key that names the operation."
    request_units: int
    "Request units settled: 0 until delivered, then 1."
    delivered_units: int
    "Delivered units settled, one for each distinct delivery unit."
    fresh_evidence_units: int
    "Delivered observations that this operation acquired."


class Allowance(TypedDict):
    "The remaining request units of the subscription. All its keys share them."
    window_seconds: int
    "The length of a window."
    window_remaining: int
    "Request units left in this window."
    weekly_remaining: int
    "Request units left in this week."


class Evidence(TypedDict):
    "A text that supports an observation, and its source."
    source_uri: str
    "Address of the source; for a company profile it may be only a homepage."
    excerpt: str
    "The supporting text, as stored."
    occurred_at: Union[str, None]
    "Null for a profile without an event date."
    observed_at: str
    last_seen_at: NotRequired[str]
    "When the unchanged source record was last retrieved: neither a new event nor a verification."


class CompanyIdentity(TypedDict):
    "The company that an observation is about."
    id: int
    name: str


class NestedObservation(TypedDict):
    "A dated fact about the company that contains it."
    id: int
    kind: Literal["procurement_request", "facility_expansion", "funding_round", "leadership_change", "product_launch", "partnership", "technology_use", "job_posting", "company_profile"]
    observed_fact: str
    why_it_may_matter: str
    demand_class: Literal["explicit_request", "proxy", "structural"]
    country: Literal["CA", "US"]
    "The country of the observation, not of the headquarters."
    confidence: float
    occurred_at: Union[str, None]
    "When the event happened; null only for the kind company_profile."
    observed_at: str
    expires_at: Union[str, None]
    "When the observation ceases to be shown."
    evidence: list[Evidence]
    categories: NotRequired[list[Literal["11", "21", "22", "23", "42", "51", "52", "53", "54", "55", "56", "61", "62", "71", "72", "81", "92", "31-33", "44-45", "48-49"]]]
    "NAICS 2022 sectors as its source reports them: industry, not buying intent."


class Observation(TypedDict):
    "A dated fact about a company, with its evidence. Not a verified buying decision."
    id: int
    kind: Literal["procurement_request", "facility_expansion", "funding_round", "leadership_change", "product_launch", "partnership", "technology_use", "job_posting", "company_profile"]
    observed_fact: str
    why_it_may_matter: str
    demand_class: Literal["explicit_request", "proxy", "structural"]
    country: Literal["CA", "US"]
    "The country of the observation, not of the headquarters."
    confidence: float
    occurred_at: Union[str, None]
    "When the event happened; null only for the kind company_profile."
    observed_at: str
    expires_at: Union[str, None]
    "When the observation ceases to be shown."
    evidence: list[Evidence]
    categories: NotRequired[list[Literal["11", "21", "22", "23", "42", "51", "52", "53", "54", "55", "56", "61", "62", "71", "72", "81", "92", "31-33", "44-45", "48-49"]]]
    "NAICS 2022 sectors as its source reports them: industry, not buying intent."
    company: CompanyIdentity


class CompanyDomainsItem(TypedDict):
    id: int
    hostname: str


class Company(TypedDict):
    "A company with its latest observations; not a full profile."
    id: int
    name: str
    domains: list[CompanyDomainsItem]
    "Only domains that these observations support."
    observations: list[NestedObservation]
    "The latest observations that may be shown now."
    limitations: list[str]
    "What to know before relying on the company: single_source (all of its observations here come from one source of the dataset, whatever the hosts of their evidence), structural_only, stale_evidence, or none."


class FoundCompanyMatch(TypedDict):
    "The match: the query, and the observations below, best first."
    query: str
    observation_ids: list[int]


class FoundCompany(TypedDict):
    "A company in a search result, with the observations that match best."
    id: int
    name: str
    limitations: list[str]
    "What to know before relying on the company: single_source (all of its observations here come from one source of the dataset, whatever the hosts of their evidence), structural_only, stale_evidence, condition_not_stated (no record below states the place, time, amount or other condition that the query asks for), or none."
    demand_class: Literal["explicit_request", "proxy", "structural"]
    "The demand class of its best match."
    why_it_may_matter: str
    "The sentence of its best match."
    match: FoundCompanyMatch
    "The match: the query, and the observations below, best first."
    observations: list[NestedObservation]


class CompanySearchResultCoverage(TypedDict):
    requested_companies: int
    returned_companies: int
    stop_reason: Literal["limit_reached", "shortlist_exhausted", "no_match"]
    "limit_reached: the page is full; shortlist_exhausted: there is no further match, and the page is not filled up with poor matches; no_match: nothing matches the query."
    limitations: list[str]


class CompanySearchResult(TypedDict):
    "A completed company search."
    usage: Operation
    request_allowance: Allowance
    as_of: str
    "When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits."
    coverage_status: Literal["partial"]
    "Always partial: a company or fact that is missing here may exist."
    limitations: list[str]
    "Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late."
    withheld_units: int
    "Number of delivered units that are missing here, because they may no longer be shown."
    next_cursor: Union[str, None]
    "Cursor of the next page, which needs a new key. Null if there is no further page."
    retrieval: Literal["lexical", "hybrid"]
    "lexical: by words; hybrid: by words and meaning."
    ranking: Literal["query_relevance_baseline"]
    candidate_limit: int
    "Max number of results on all pages of a search."
    delivery_unit: Literal["company"]
    coverage: CompanySearchResultCoverage
    companies: list[FoundCompany]
    "Best match first; an empty list is a success."


class ObservationSearchResultCoverage(TypedDict):
    requested_observations: int
    returned_observations: int
    stop_reason: Literal["limit_reached", "shortlist_exhausted", "no_match"]
    "limit_reached: the page is full; shortlist_exhausted: there is no further match, and the page is not filled up with poor matches; no_match: nothing matches the query."
    limitations: list[str]


class ObservationSearchResult(TypedDict):
    "A completed observation search."
    usage: Operation
    request_allowance: Allowance
    as_of: str
    "When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits."
    coverage_status: Literal["partial"]
    "Always partial: a company or fact that is missing here may exist."
    limitations: list[str]
    "Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late."
    withheld_units: int
    "Number of delivered units that are missing here, because they may no longer be shown."
    next_cursor: Union[str, None]
    "Cursor of the next page, which needs a new key. Null if there is no further page."
    retrieval: Literal["lexical", "hybrid"]
    "lexical: by words; hybrid: by words and meaning."
    ranking: Literal["query_relevance_baseline"]
    candidate_limit: int
    "Max number of results on all pages of a search."
    delivery_unit: Literal["observation"]
    coverage: ObservationSearchResultCoverage
    observations: list[Observation]
    "Best match first; an empty list is a success."


class LookupOutcome1(TypedDict):
    id: int
    status: Literal["found", "not_found", "ambiguous", "unavailable"]
    "found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; unavailable: found when the operation was settled, withheld now"
    company_id: NotRequired[int]
    "Present if found."


class LookupOutcome2(TypedDict):
    hostname: str
    status: Literal["found", "not_found", "ambiguous", "unavailable"]
    "found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; unavailable: found when the operation was settled, withheld now"
    company_id: NotRequired[int]
    "Present if found."


class CompanyLookupResult(TypedDict):
    "The companies that were found, and one outcome for each target."
    usage: Operation
    request_allowance: Allowance
    as_of: str
    "When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits."
    coverage_status: Literal["partial"]
    "Always partial: a company or fact that is missing here may exist."
    limitations: list[str]
    "Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late."
    withheld_units: int
    "Number of delivered units that are missing here, because they may no longer be shown."
    delivery_unit: Literal["company"]
    companies: list[Company]
    lookups: list[LookupOutcome]
    "One outcome for each distinct target."


class DomainStatus(TypedDict):
    "The status of a hostname; not_found says nothing about the company."
    hostname: str
    "The normalized hostname."
    status: Literal["found", "not_found"]
    "not_found: no coverage yet."


class ObservationListResult(TypedDict):
    "Observations that were recorded after since. Pass as_of unchanged as the next since, and nothing is missed. as_of moves forward with every page, so cursors may be ignored."
    usage: Operation
    request_allowance: Allowance
    as_of: str
    "When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits."
    coverage_status: Literal["partial"]
    "Always partial: a company or fact that is missing here may exist."
    limitations: list[str]
    "Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late."
    withheld_units: int
    "Number of delivered units that are missing here, because they may no longer be shown."
    next_cursor: Union[str, None]
    "Cursor of the next page, which needs a new key. Null if there is no further page."
    delivery_unit: Literal["company"]
    observations: list[Observation]
    "In the order in which the hostnames gained them."
    domains: list[DomainStatus]
    "One status for each distinct requested hostname."


class DiagnosticResultSubscription(TypedDict):
    plan: str
    status: str
    "active or trialing; requests with another status are refused."
    current_period_start: str
    current_period_end: str


class DiagnosticResultLimits(TypedDict):
    request_units: int
    weekly_request_units: int
    delivered_units: int
    weekly_delivered_units: int


class DiagnosticResult(TypedDict):
    "Subscription and limits at the time of the request, which took all steps of a metered request."
    usage: Operation
    request_allowance: Allowance
    subscription: DiagnosticResultSubscription
    limits: DiagnosticResultLimits


class PendingResult(TypedDict):
    "The operation is not finished: poll it, or repeat the request with the same key."
    usage: Operation
    request_allowance: Allowance


class UsageReportSubscription(TypedDict):
    plan: str
    status: str
    "active or trialing; requests with another status are refused."
    current_period_start: str
    current_period_end: str


class UsageReportUsage(TypedDict):
    request_units: int
    weekly_request_units: int
    delivered_units: int
    weekly_delivered_units: int
    fresh_evidence_units: int


class UsageReportLimits(TypedDict):
    request_units: int
    weekly_request_units: int
    delivered_units: int
    weekly_delivered_units: int


class UsageReportReservations(TypedDict):
    "Units that are reserved for unfinished operations."
    request_units: int
    delivered_units: int


class UsageReport(TypedDict):
    "The usage and the limits of the subscription. Amounts without weekly_ are those of the window."
    subscription: UsageReportSubscription
    usage: UsageReportUsage
    limits: UsageReportLimits
    reservations: UsageReportReservations
    "Units that are reserved for unfinished operations."


class CompanyResult(TypedDict):
    company: Company


class ObservationResult(TypedDict):
    observation: Observation


class Alive(TypedDict):
    status: Literal["alive"]


class Ready(TypedDict):
    status: Literal["ready"]


class NotReady(TypedDict):
    status: Literal["not ready"]
    reason: str
    "The reason, for operators."
    progress_percent: NotRequired[int]
    "Share of the index that is built, while it is being built."


class ErrorEnvelopeError(TypedDict):
    code: ErrorCode
    message: str
    "The message for people. It names the faulty field if there is one."
    retry_at: NotRequired[str]
    "When the same request may succeed."
    retry_after_seconds: NotRequired[int]
    "Seconds from the refusal to retry_at."


class ErrorEnvelope(TypedDict):
    "The request did not succeed. usage is present if a stored operation ended with this error."
    error: ErrorEnvelopeError
    usage: NotRequired[Operation]
    request_allowance: NotRequired[Allowance]


LookupOutcome = Union[LookupOutcome1, LookupOutcome2]
"The outcome of one target, with the requested id or hostname."

OperationResult = Union[CompanySearchResult, CompanyLookupResult, ObservationListResult, ObservationSearchResult, DiagnosticResult]
"The body that the operation's own action returns."

ErrorCode = Literal["invalid_api_key", "subscription_required", "invalid_lookup", "invalid_search", "unsupported_request", "invalid_cursor", "idempotency_conflict", "result_limit_reached", "request_limit_reached", "delivery_limit_reached", "too_many_requests", "company_not_found", "observation_not_found", "usage_not_found", "planning_unavailable", "retrieval_unavailable", "invalid_plan", "usage_expired", "usage_failed", "malformed_request", "not_found", "method_not_allowed", "request_timeout", "payload_too_large", "unsupported_media_type", "forbidden_origin", "internal_error", "unavailable"]
"Code by which programs decide. A later version may have more codes."
