/** Types of the service's OpenAPI document. `deno task client` writes this file. */

export interface paths {
    "/api/companies/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search companies
         * @description Finds the companies whose observations match a query best, under exact filters.
         *
         *     Costs 1 request unit and 1 delivered unit for each distinct company delivered; an identical retry with the same key costs nothing. With status 202 it is not finished: poll `GET /api/usages/{id}` with `usage.id`, waiting a second or two in between, or repeat the request with the same key. After a lost connection repeat it with the same key.
         *
         *     A next page repeats query, filters and limit, adds `cursor`, and needs a new key. Up to 100 companies are frozen by the first page: later pages neither rank nor search again. An empty list of companies is a success.
         */
        post: operations["search_companies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up known companies
         * @description One outcome for each distinct target, by id or by hostname: give exactly one of `ids[]` and `domains[]`, 1 to 20 times, and nothing else. Hostnames without coverage are queued for a scheduled refresh where a permitted source serves them.
         *
         *     Costs 1 request unit and 1 delivered unit for each distinct company delivered; an identical retry with the same key costs nothing. With status 202 it is not finished: poll `GET /api/usages/{id}` with `usage.id`, waiting a second or two in between, or repeat the request with the same key. After a lost connection repeat it with the same key.
         */
        get: operations["get_companies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List observations recorded since
         * @description Lists observations about the given hostnames that were recorded after `since`, oldest first. To follow hostnames, pass the `as_of` of each page, with all its digits, as the next `since`: nothing is missed, and it moves forward with every page. Request the next page at once while `next_cursor` is not null. You may also go through the pages by `next_cursor`, and pass the last `as_of`. What a hostname gains later (its company gains the hostname, is merged, split or shown again) counts as recorded again for that hostname. Hostnames without coverage are queued for a scheduled refresh where a permitted source serves them.
         *
         *     Costs 1 request unit and 1 delivered unit for each distinct company delivered; an identical retry with the same key costs nothing. Every page needs a new key. With status 202 it is not finished: poll `GET /api/usages/{id}` with `usage.id`, waiting a second or two in between, or repeat the request with the same key. After a lost connection repeat it with the same key.
         */
        get: operations["list_observations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one company
         * @description With its three latest observations that may be shown now. Unmetered: it takes no idempotency key and costs nothing.
         */
        get: operations["get_company"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/observations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one observation
         * @description With the evidence that may be shown now. Unmetered: it takes no idempotency key and costs nothing.
         */
        get: operations["get_observation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll or replay an operation
         * @description The operation of an earlier request of this account. Status 202 while it is pending or processing: wait a second or two before polling again. Delivered, it is the body of its own action, with the evidence checked anew: `withheld_units` counts what may not be shown any more. Failed or expired, it is the error that it ended by.
         *
         *     Unmetered: it takes no idempotency key and costs nothing.
         */
        get: operations["get_operation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read usage and limits
         * @description Of the subscription, shared by all of its keys. Unmetered: it takes no idempotency key and costs nothing.
         */
        get: operations["get_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests can be served */
        get: operations["get_readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["get_contract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A company search. */
        CompanySearchRequest: {
            /** @description The question, in English or French, as one would say it. */
            query: string;
            /** @description Default: {}. */
            filters?: components["schemas"]["SearchFilters"];
            /** @description Companies a page; the plan's page size is the most: 25 (builder), 50 (professional). Default: 10. */
            limit?: number;
            /** @description The next_cursor of the page before; everything else stays as it was there. */
            cursor?: string | null;
            /** @description true: answered with 202 at once and worked on later; poll the operation. Default: false. */
            background?: boolean;
        };
        /**
         * @description Values within a field are alternatives, fields must all agree, empty lists do not restrict. Unknown ids and hostnames match nothing.
         * @example {
         *       "countries": [
         *         "CA"
         *       ],
         *       "kinds": [
         *         "procurement_request"
         *       ],
         *       "domains": [
         *         "northwind.example"
         *       ]
         *     }
         */
        SearchFilters: {
            /** @description Where an observation is located; any of them. */
            countries?: ("CA" | "US")[];
            /** @description Kinds of observations; any of them. */
            kinds?: ("procurement_request" | "facility_expansion")[];
            /** @description Classes of demand, by how directly an observation shows it; any of them. */
            demand_classes?: ("explicit_request" | "proxy" | "structural")[];
            /**
             * Format: date-time
             * @description The event is later than this ISO 8601 instant, which names its offset.
             */
            occurred_after?: string;
            /**
             * Format: date-time
             * @description It was observed later than this ISO 8601 instant, which names its offset.
             */
            observed_after?: string;
            /** @description Only these companies. */
            company_ids?: number[];
            /** @description None of these companies; exclusions win. */
            exclude_company_ids?: number[];
            /** @description Only companies with one of these hostnames, compared without case and final dot. */
            domains?: string[];
            /** @description No company with one of these hostnames; exclusions win. */
            exclude_domains?: string[];
        };
        /** @description One metered request: what became of it and what it cost. */
        Operation: {
            /** @description Poll the operation with it: GET /api/usages/{id}. */
            id: number;
            /**
             * @description pending and processing come with status 202; the other two are final.
             * @enum {string}
             */
            status: "pending" | "processing" | "delivered" | "failed";
            /** @description The idempotency key that names the operation. */
            request_key: string;
            /** @description Request units settled: 0 until delivered, then 1. */
            request_units: number;
            /** @description Delivered units settled, one for each distinct delivery unit. */
            delivered_units: number;
            /** @description Delivered observations that this operation acquired. */
            fresh_evidence_units: number;
        };
        /** @description The remaining request units of the subscription. All its keys share them. */
        Allowance: {
            /** @description The length of a window. */
            window_seconds: number;
            /** @description Request units left in this window. */
            window_remaining: number;
            /** @description Request units left in this week. */
            weekly_remaining: number;
        };
        /** @description A text that supports an observation, and its source. */
        Evidence: {
            /** @description Where it was seen; of a company profile perhaps only a homepage. */
            source_uri: string;
            /** @description The supporting text as it was retained. */
            excerpt: string;
            /** @description Null for a profile without an event date. */
            occurred_at: string | null;
            /** Format: date-time */
            observed_at: string;
            /**
             * Format: date-time
             * @description The unchanged source record was last retrieved then: no new event, no verification.
             */
            last_seen_at?: string;
        };
        /** @description The company that an observation is about. */
        CompanyIdentity: {
            id: number;
            name: string;
        };
        /** @description A dated fact about the company around it. */
        NestedObservation: {
            id: number;
            /** @enum {string} */
            kind: "procurement_request" | "facility_expansion" | "funding_round" | "leadership_change" | "product_launch" | "partnership" | "technology_use" | "job_posting" | "company_profile";
            observed_fact: string;
            why_it_may_matter: string;
            /** @enum {string} */
            demand_class: "explicit_request" | "proxy" | "structural";
            /**
             * @description The country of the observation, not of the headquarters.
             * @enum {string}
             */
            country: "CA" | "US";
            confidence: number;
            /** @description When the event happened; null only for the kind company_profile. */
            occurred_at: string | null;
            /** Format: date-time */
            observed_at: string;
            /** @description From then on the observation is not shown. */
            expires_at: string | null;
            evidence: components["schemas"]["Evidence"][];
            /** @description NAICS 2022 sectors as its source reports them: industry, not buying intent. */
            categories?: ("11" | "21" | "22" | "23" | "42" | "51" | "52" | "53" | "54" | "55" | "56" | "61" | "62" | "71" | "72" | "81" | "92" | "31-33" | "44-45" | "48-49")[];
        };
        /** @description A dated fact about a company, with its evidence. Not a verified buying decision. */
        Observation: {
            id: number;
            /** @enum {string} */
            kind: "procurement_request" | "facility_expansion" | "funding_round" | "leadership_change" | "product_launch" | "partnership" | "technology_use" | "job_posting" | "company_profile";
            observed_fact: string;
            why_it_may_matter: string;
            /** @enum {string} */
            demand_class: "explicit_request" | "proxy" | "structural";
            /**
             * @description The country of the observation, not of the headquarters.
             * @enum {string}
             */
            country: "CA" | "US";
            confidence: number;
            /** @description When the event happened; null only for the kind company_profile. */
            occurred_at: string | null;
            /** Format: date-time */
            observed_at: string;
            /** @description From then on the observation is not shown. */
            expires_at: string | null;
            evidence: components["schemas"]["Evidence"][];
            /** @description NAICS 2022 sectors as its source reports them: industry, not buying intent. */
            categories?: ("11" | "21" | "22" | "23" | "42" | "51" | "52" | "53" | "54" | "55" | "56" | "61" | "62" | "71" | "72" | "81" | "92" | "31-33" | "44-45" | "48-49")[];
            company: components["schemas"]["CompanyIdentity"];
        };
        /** @description A company by what was observed of it lately; not a full profile. */
        Company: {
            id: number;
            name: string;
            /** @description Only those that the observations here support. */
            domains: {
                id: number;
                hostname: string;
            }[];
            /** @description The latest that may be shown now. */
            observations: components["schemas"]["NestedObservation"][];
            /** @description Read before relying on it: single_source, structural_only, stale_evidence, or none. */
            limitations: string[];
        };
        /** @description A company in a search result, with the observations that match best. */
        FoundCompany: {
            id: number;
            name: string;
            /** @description Read before relying on it: single_source, structural_only, stale_evidence, or none. */
            limitations: string[];
            /**
             * @description That of its best match.
             * @enum {string}
             */
            demand_class: "explicit_request" | "proxy" | "structural";
            /** @description That of its best match. */
            why_it_may_matter: string;
            /** @description The match: the query, and the observations below, best first. */
            match: {
                query: string;
                observation_ids: number[];
            };
            observations: components["schemas"]["NestedObservation"][];
        };
        /** @description A completed company search. */
        CompanySearchResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            /**
             * Format: date-time
             * @description When this was answered; of a listing, the moment up to which nothing is missing: the one to pass on as since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always: what is missing here may well exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description limited_source_coverage; dataset_read_only, unless this search has asked a source; and what else holds of this answer: hybrid_unavailable and reduced_ranking, ranked by words alone; spelling_changed, a word or name that the dataset does not know was searched for as the nearest one that it knows; acquisition_incomplete, a source that was asked for more has failed or was late. */
            limitations: string[];
            /** @description Delivered units that are missing here because they have lost their support since. */
            withheld_units: number;
            /** @description For the next page, under a new key. Null when there is no further page. */
            next_cursor: string | null;
            /**
             * @description lexical: by words; hybrid: by words and meaning.
             * @enum {string}
             */
            retrieval: "lexical" | "hybrid";
            /** @constant */
            ranking: "query_relevance_baseline";
            /** @description The most that all pages of a search can hold. */
            candidate_limit: number;
            /** @constant */
            delivery_unit: "company";
            coverage: {
                requested_companies: number;
                returned_companies: number;
                /**
                 * @description limit_reached: the page is full; shortlist_exhausted: nothing else answers the query, and the page is not filled up with what does not; no_match: nothing answers it.
                 * @enum {string}
                 */
                stop_reason: "limit_reached" | "shortlist_exhausted" | "no_match";
                limitations: string[];
            };
            /** @description Best match first; an empty list is a success. */
            companies: components["schemas"]["FoundCompany"][];
        };
        /** @description A completed observation search. */
        ObservationSearchResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            /**
             * Format: date-time
             * @description When this was answered; of a listing, the moment up to which nothing is missing: the one to pass on as since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always: what is missing here may well exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description limited_source_coverage; dataset_read_only, unless this search has asked a source; and what else holds of this answer: hybrid_unavailable and reduced_ranking, ranked by words alone; spelling_changed, a word or name that the dataset does not know was searched for as the nearest one that it knows; acquisition_incomplete, a source that was asked for more has failed or was late. */
            limitations: string[];
            /** @description Delivered units that are missing here because they have lost their support since. */
            withheld_units: number;
            /** @description For the next page, under a new key. Null when there is no further page. */
            next_cursor: string | null;
            /**
             * @description lexical: by words; hybrid: by words and meaning.
             * @enum {string}
             */
            retrieval: "lexical" | "hybrid";
            /** @constant */
            ranking: "query_relevance_baseline";
            /** @description The most that all pages of a search can hold. */
            candidate_limit: number;
            /** @constant */
            delivery_unit: "observation";
            coverage: {
                requested_observations: number;
                returned_observations: number;
                /**
                 * @description limit_reached: the page is full; shortlist_exhausted: nothing else answers the query, and the page is not filled up with what does not; no_match: nothing answers it.
                 * @enum {string}
                 */
                stop_reason: "limit_reached" | "shortlist_exhausted" | "no_match";
                limitations: string[];
            };
            /** @description Best match first; an empty list is a success. */
            observations: components["schemas"]["Observation"][];
        };
        /** @description The outcome of one target, with the id or the hostname that was asked for. */
        LookupOutcome: {
            id: number;
            /**
             * @description found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; unavailable: found when it was settled, withheld now
             * @enum {string}
             */
            status: "found" | "not_found" | "ambiguous" | "unavailable";
            /** @description Present when found. */
            company_id?: number;
        } | {
            hostname: string;
            /**
             * @description found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; unavailable: found when it was settled, withheld now
             * @enum {string}
             */
            status: "found" | "not_found" | "ambiguous" | "unavailable";
            /** @description Present when found. */
            company_id?: number;
        };
        /** @description The companies that are known, and one outcome for each target. */
        CompanyLookupResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            /**
             * Format: date-time
             * @description When this was answered; of a listing, the moment up to which nothing is missing: the one to pass on as since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always: what is missing here may well exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description limited_source_coverage; dataset_read_only, unless this search has asked a source; and what else holds of this answer: hybrid_unavailable and reduced_ranking, ranked by words alone; spelling_changed, a word or name that the dataset does not know was searched for as the nearest one that it knows; acquisition_incomplete, a source that was asked for more has failed or was late. */
            limitations: string[];
            /** @description Delivered units that are missing here because they have lost their support since. */
            withheld_units: number;
            /** @constant */
            delivery_unit: "company";
            companies: components["schemas"]["Company"][];
            /** @description One outcome for each distinct target. */
            lookups: components["schemas"]["LookupOutcome"][];
        };
        /** @description The status of a hostname; not_found says nothing of the company. */
        DomainStatus: {
            /** @description As normalized. */
            hostname: string;
            /**
             * @description not_found: no coverage yet.
             * @enum {string}
             */
            status: "found" | "not_found";
        };
        /** @description Observations that were recorded after since. Pass its as_of, unchanged, as the next since: nothing is missed. as_of moves forward with every page, so cursors may be ignored. */
        ObservationListResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            /**
             * Format: date-time
             * @description When this was answered; of a listing, the moment up to which nothing is missing: the one to pass on as since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always: what is missing here may well exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description limited_source_coverage; dataset_read_only, unless this search has asked a source; and what else holds of this answer: hybrid_unavailable and reduced_ranking, ranked by words alone; spelling_changed, a word or name that the dataset does not know was searched for as the nearest one that it knows; acquisition_incomplete, a source that was asked for more has failed or was late. */
            limitations: string[];
            /** @description Delivered units that are missing here because they have lost their support since. */
            withheld_units: number;
            /** @description For the next page, under a new key. Null when there is no further page. */
            next_cursor: string | null;
            /** @constant */
            delivery_unit: "company";
            /** @description In the order in which the hostnames gained them. */
            observations: components["schemas"]["Observation"][];
            /** @description One for each distinct hostname that was asked for. */
            domains: components["schemas"]["DomainStatus"][];
        };
        /** @description Subscription and limits as they were then, by way of a whole metered request. */
        DiagnosticResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            subscription: {
                plan: string;
                /** @description active or trialing; no other status is answered. */
                status: string;
                /** Format: date-time */
                current_period_start: string;
                /** Format: date-time */
                current_period_end: string;
            };
            limits: {
                request_units: number;
                weekly_request_units: number;
                delivered_units: number;
                weekly_delivered_units: number;
            };
        };
        /** @description The operation is not finished: poll it, or repeat the request with the same key. */
        PendingResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
        };
        /** @description The usage and the limits of the subscription. Amounts without weekly_ are those of the window. */
        UsageReport: {
            subscription: {
                plan: string;
                /** @description active or trialing; no other status is answered. */
                status: string;
                /** Format: date-time */
                current_period_start: string;
                /** Format: date-time */
                current_period_end: string;
            };
            usage: {
                request_units: number;
                weekly_request_units: number;
                delivered_units: number;
                weekly_delivered_units: number;
                fresh_evidence_units: number;
            };
            limits: {
                request_units: number;
                weekly_request_units: number;
                delivered_units: number;
                weekly_delivered_units: number;
            };
            /** @description Units that unfinished operations hold of the limits. */
            reservations: {
                request_units: number;
                delivered_units: number;
            };
        };
        CompanyResult: {
            company: components["schemas"]["Company"];
        };
        ObservationResult: {
            observation: components["schemas"]["Observation"];
        };
        /** @description The body that the operation's own action answers with. */
        OperationResult: components["schemas"]["CompanySearchResult"] | components["schemas"]["CompanyLookupResult"] | components["schemas"]["ObservationListResult"] | components["schemas"]["ObservationSearchResult"] | components["schemas"]["DiagnosticResult"];
        Alive: {
            /** @constant */
            status: "alive";
        };
        Ready: {
            /** @constant */
            status: "ready";
        };
        NotReady: {
            /** @constant */
            status: "not ready";
            /** @description For operators. */
            reason: string;
            /** @description Share of the index that is built, while it is being built. */
            progress_percent?: number;
        };
        /** @description The request did not succeed. usage is there where a stored operation ended so. */
        ErrorEnvelope: {
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description For people; it names the faulty field where there is one. */
                message: string;
                /**
                 * Format: date-time
                 * @description When the exhausted allowance is renewed.
                 */
                retry_at?: string;
                /** @description Seconds from the refusal to retry_at. */
                retry_after_seconds?: number;
            };
            usage?: components["schemas"]["Operation"];
            request_allowance?: components["schemas"]["Allowance"];
        };
        /**
         * @description Decide by it. A later version may have more.
         * @enum {string}
         */
        ErrorCode: "invalid_api_key" | "subscription_required" | "invalid_lookup" | "invalid_search" | "unsupported_request" | "invalid_cursor" | "idempotency_conflict" | "result_limit_reached" | "request_limit_reached" | "delivery_limit_reached" | "company_not_found" | "observation_not_found" | "usage_not_found" | "planning_unavailable" | "retrieval_unavailable" | "invalid_plan" | "usage_expired" | "usage_failed" | "malformed_request" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "forbidden_origin" | "internal_error" | "unavailable";
    };
    responses: {
        /** @description `invalid_api_key`: The API key is unknown, revoked or expired. */
        invalid_api_key: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "invalid_api_key";
                    };
                };
            };
        };
        /** @description `subscription_required`: An active or trialing subscription is required. */
        subscription_required: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "subscription_required";
                    };
                };
            };
        };
        /** @description `invalid_lookup`: Exactly one of ids and domains is required, and nothing else. */
        invalid_lookup: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "invalid_lookup";
                    };
                };
            };
        };
        /** @description `invalid_search`: One or more inputs are invalid. */
        invalid_search: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "invalid_search";
                    };
                };
            };
        };
        /** @description `malformed_request`: The Host header or the request target is missing or malformed. */
        malformed_request: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
        };
        /** @description `method_not_allowed`: This path does not take this method. */
        method_not_allowed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "method_not_allowed";
                    };
                };
            };
        };
        /** @description `request_timeout`: The body did not arrive in time. */
        request_timeout: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
        /** @description `payload_too_large`: The body is larger than this service reads. */
        payload_too_large: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
        };
        /** @description `unsupported_media_type`: The body must be application/json. */
        unsupported_media_type: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
        };
        /** @description `internal_error`: Something went wrong on our side. Try again with the same key; the request id helps to find it. */
        internal_error: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
        };
        /** @description `unavailable`: The service is not able to answer just now. Try again shortly, with the same key. */
        unavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "unavailable";
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description On every answer; name it when you report a problem. */
        "Request-Id": string;
        /** @description true where an earlier request started the operation; else absent. */
        "Idempotency-Replayed-if-any": "true";
        /**
         * @description The IETF draft RateLimit header fields for HTTP: request units (q) of a window and of a week, in seconds (w).
         * @example "window";q=120;w=3600, "week";q=2000;w=604800
         */
        "RateLimit-Policy": string;
        /**
         * @description The IETF draft RateLimit header fields for HTTP: request units (q) of a window and of a week, in seconds (w).
         * @example "window";q=120;w=3600, "week";q=2000;w=604800
         */
        "RateLimit-Policy-if-any": string;
        /**
         * @description The IETF draft RateLimit header fields for HTTP: request units left (r), and the seconds until they are renewed (t).
         * @example "window";r=119;t=2400, "week";r=1999;t=345600
         */
        RateLimit: string;
        /**
         * @description The IETF draft RateLimit header fields for HTTP: request units left (r), and the seconds until they are renewed (t).
         * @example "window";r=119;t=2400, "week";r=1999;t=345600
         */
        "RateLimit-if-any": string;
        /** @description Seconds to wait before the same request is made again. */
        "Retry-After": number;
        /** @description Seconds to wait before the same request is made again. */
        "Retry-After-if-any": number;
        /**
         * @description Where the operation is polled, relative to the address of the request.
         * @example ../usages/5021
         */
        Location: string;
        /** @description The methods that the path takes. */
        Allow: string;
        /** @description The scheme of authentication. */
        "WWW-Authenticate": "Bearer";
        /** @description For If-None-Match. */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    search_companies: {
        parameters: {
            query?: never;
            header: {
                /** @description Names the operation, for ever: the same key for every retry of the same request, a new one for every other request and every next page. One header, without a comma before a blank. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanySearchRequest"];
            };
        };
        responses: {
            /** @description Delivered, now or by an earlier request. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanySearchResult"];
                };
            };
            /** @description Pending or processing. Poll `Location`, after the seconds of `Retry-After`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingResult"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["invalid_api_key"];
            402: components["responses"]["subscription_required"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            /**
             * @description `invalid_search`: One or more inputs are invalid.
             *
             *     `unsupported_request`: This service does not answer such a request. Narrow the question.
             *
             *     `invalid_cursor`: The cursor cannot be used for this search. Start again without one, with a new key.
             *
             *     `idempotency_conflict`: This idempotency key belongs to a request with other inputs. Use a new key for these inputs.
             *
             *     `result_limit_reached`: The limit exceeds the page size of the subscription's plan. Lower it.
             *
             *     `invalid_plan`: The search plan was invalid. Try again with a new key.
             *
             *     `usage_expired`: The operation has expired. Use a new key to run the request again.
             *
             *     `usage_failed`: The operation ended unsuccessfully. Use a new key to run it again.
             */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit-if-any"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-if-any"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "invalid_search" | "unsupported_request" | "invalid_cursor" | "idempotency_conflict" | "result_limit_reached" | "invalid_plan" | "usage_expired" | "usage_failed";
                        };
                    };
                };
            };
            /**
             * @description `request_limit_reached`: The subscription's request allowance is used up. Try again at retry_at.
             *
             *     `delivery_limit_reached`: The subscription's delivery allowance cannot cover this request. Ask for less, or at retry_at.
             */
            429: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "request_limit_reached" | "delivery_limit_reached";
                        };
                    };
                };
            };
            500: components["responses"]["internal_error"];
            /**
             * @description `planning_unavailable`: The search could not be prepared. Try again with a new key.
             *
             *     `retrieval_unavailable`: The search could not be performed. Try again with a new key.
             *
             *     `unavailable`: The service is not able to answer just now. Try again shortly, with the same key.
             */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit-if-any"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-if-any"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    "Retry-After": components["headers"]["Retry-After-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "planning_unavailable" | "retrieval_unavailable" | "unavailable";
                        };
                    };
                };
            };
        };
    };
    get_companies: {
        parameters: {
            query?: {
                /**
                 * @description Company ids, 1 to 20. Either these or domains.
                 * @example [
                 *       17,
                 *       42
                 *     ]
                 */
                "ids[]"?: number[];
                /** @description Hostnames, 1 to 20. Either these or ids. */
                "domains[]"?: string[];
            };
            header: {
                /** @description Names the operation, for ever: the same key for every retry of the same request, a new one for every other request and every next page. One header, without a comma before a blank. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delivered, now or by an earlier request. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyLookupResult"];
                };
            };
            /** @description Pending or processing. Poll `Location`, after the seconds of `Retry-After`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingResult"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["invalid_api_key"];
            402: components["responses"]["subscription_required"];
            405: components["responses"]["method_not_allowed"];
            /**
             * @description `invalid_lookup`: Exactly one of ids and domains is required, and nothing else.
             *
             *     `idempotency_conflict`: This idempotency key belongs to a request with other inputs. Use a new key for these inputs.
             *
             *     `usage_expired`: The operation has expired. Use a new key to run the request again.
             *
             *     `usage_failed`: The operation ended unsuccessfully. Use a new key to run it again.
             */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit-if-any"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-if-any"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "invalid_lookup" | "idempotency_conflict" | "usage_expired" | "usage_failed";
                        };
                    };
                };
            };
            /**
             * @description `request_limit_reached`: The subscription's request allowance is used up. Try again at retry_at.
             *
             *     `delivery_limit_reached`: The subscription's delivery allowance cannot cover this request. Ask for less, or at retry_at.
             */
            429: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "request_limit_reached" | "delivery_limit_reached";
                        };
                    };
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    list_observations: {
        parameters: {
            query: {
                /**
                 * @description Hostnames of the companies whose observations are listed.
                 * @example [
                 *       "northwind.example"
                 *     ]
                 */
                "domains[]": string[];
                /**
                 * @description Only what was recorded after this instant, with its offset: the as_of of the page before, or of the last page where cursors are used. Pass on all its digits.
                 * @example 2026-03-01T00:00:00Z
                 */
                since: string;
                /** @description Only these kinds of observation. */
                "kinds[]"?: ("procurement_request" | "facility_expansion" | "funding_round" | "leadership_change" | "product_launch" | "partnership" | "technology_use" | "job_posting" | "company_profile")[];
                /** @description Observations a page. */
                limit?: number;
                /** @description The next_cursor of the page before; everything else stays as it was there. */
                cursor?: string;
            };
            header: {
                /** @description Names the operation, for ever: the same key for every retry of the same request, a new one for every other request and every next page. One header, without a comma before a blank. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delivered, now or by an earlier request. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationListResult"];
                };
            };
            /** @description Pending or processing. Poll `Location`, after the seconds of `Retry-After`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingResult"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["invalid_api_key"];
            402: components["responses"]["subscription_required"];
            405: components["responses"]["method_not_allowed"];
            /**
             * @description `invalid_search`: One or more inputs are invalid.
             *
             *     `invalid_cursor`: The cursor cannot be used for this search. Start again without one, with a new key.
             *
             *     `idempotency_conflict`: This idempotency key belongs to a request with other inputs. Use a new key for these inputs.
             *
             *     `usage_expired`: The operation has expired. Use a new key to run the request again.
             *
             *     `usage_failed`: The operation ended unsuccessfully. Use a new key to run it again.
             */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit-if-any"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-if-any"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "invalid_search" | "invalid_cursor" | "idempotency_conflict" | "usage_expired" | "usage_failed";
                        };
                    };
                };
            };
            /**
             * @description `request_limit_reached`: The subscription's request allowance is used up. Try again at retry_at.
             *
             *     `delivery_limit_reached`: The subscription's delivery allowance cannot cover this request. Ask for less, or at retry_at.
             */
            429: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "request_limit_reached" | "delivery_limit_reached";
                        };
                    };
                };
            };
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    get_company: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResult"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["invalid_api_key"];
            402: components["responses"]["subscription_required"];
            /**
             * @description `company_not_found`: No company with this id is currently deliverable. Take an id from a new search.
             *
             *     `not_found`: There is nothing at this path.
             */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "company_not_found" | "not_found";
                        };
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            422: components["responses"]["invalid_lookup"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    get_observation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationResult"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["invalid_api_key"];
            402: components["responses"]["subscription_required"];
            /**
             * @description `observation_not_found`: No observation with this id is currently deliverable. Take an id from a new search.
             *
             *     `not_found`: There is nothing at this path.
             */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "observation_not_found" | "not_found";
                        };
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            422: components["responses"]["invalid_search"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    get_operation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationResult"];
                };
            };
            /** @description Pending or processing. Poll `Location`, after the seconds of `Retry-After`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingResult"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["invalid_api_key"];
            402: components["responses"]["subscription_required"];
            /**
             * @description `usage_not_found`: No operation with this id is available to this account. Use the usage.id of its own answers.
             *
             *     `not_found`: There is nothing at this path.
             */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "usage_not_found" | "not_found";
                        };
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            /**
             * @description `invalid_search`: One or more inputs are invalid.
             *
             *     `unsupported_request`: This service does not answer such a request. Narrow the question.
             *
             *     `invalid_plan`: The search plan was invalid. Try again with a new key.
             *
             *     `usage_expired`: The operation has expired. Use a new key to run the request again.
             *
             *     `usage_failed`: The operation ended unsuccessfully. Use a new key to run it again.
             */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit-if-any"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-if-any"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "invalid_search" | "unsupported_request" | "invalid_plan" | "usage_expired" | "usage_failed";
                        };
                    };
                };
            };
            500: components["responses"]["internal_error"];
            /**
             * @description `planning_unavailable`: The search could not be prepared. Try again with a new key.
             *
             *     `retrieval_unavailable`: The search could not be performed. Try again with a new key.
             *
             *     `unavailable`: The service is not able to answer just now. Try again shortly, with the same key.
             */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit-if-any"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-if-any"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-if-any"];
                    "Retry-After": components["headers"]["Retry-After-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "planning_unavailable" | "retrieval_unavailable" | "unavailable";
                        };
                    };
                };
            };
        };
    };
    get_usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["invalid_api_key"];
            402: components["responses"]["subscription_required"];
            405: components["responses"]["method_not_allowed"];
            422: components["responses"]["invalid_search"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alive"];
                };
            };
            400: components["responses"]["malformed_request"];
            405: components["responses"]["method_not_allowed"];
        };
    };
    get_readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They can. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            400: components["responses"]["malformed_request"];
            405: components["responses"]["method_not_allowed"];
            500: components["responses"]["internal_error"];
            /** @description They cannot just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
        };
    };
    get_contract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description It is the one that If-None-Match names. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            405: components["responses"]["method_not_allowed"];
        };
    };
}
