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
         *     Costs 1 request unit and 1 delivered unit for each distinct company delivered; an identical retry with the same key costs nothing. With status 202 the operation is not finished: poll `GET /api/usages/{id}` with `usage.id`, waiting a second or two in between, or repeat the request with the same key. After a lost connection, repeat the request with the same key.
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
         * @description Returns one outcome for each distinct target, by id or by hostname. Give either `ids[]` or `domains[]`, 1 to 20 times, and nothing else. Hostnames without coverage are queued for a scheduled refresh if a permitted source serves them.
         *
         *     Costs 1 request unit and 1 delivered unit for each distinct company delivered; an identical retry with the same key costs nothing. With status 202 the operation is not finished: poll `GET /api/usages/{id}` with `usage.id`, waiting a second or two in between, or repeat the request with the same key. After a lost connection, repeat the request with the same key.
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
         * List observations recorded since a time
         * @description Lists observations about the given hostnames that were recorded after `since`, oldest first. To follow hostnames, pass the `as_of` of each page, with all its digits, as the next `since`: nothing is missed, and `as_of` moves forward with every page. Request the next page at once while `next_cursor` is not null. You may also go through the pages by `next_cursor`, and pass the last `as_of`. Observations that a hostname gains later count as recorded again for that hostname. This happens if its company gains the hostname, or is merged, split or shown again. Hostnames without coverage are queued for a scheduled refresh if a permitted source serves them.
         *
         *     Costs 1 request unit and 1 delivered unit for each distinct company delivered; an identical retry with the same key costs nothing. Every page needs a new key. With status 202 the operation is not finished: poll `GET /api/usages/{id}` with `usage.id`, waiting a second or two in between, or repeat the request with the same key. After a lost connection, repeat the request with the same key.
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
         * @description Returns a company with its three latest observations that may be shown now. Unmetered: it takes no idempotency key and costs nothing.
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
         * @description Returns an observation with the evidence that may be shown now. Unmetered: it takes no idempotency key and costs nothing.
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
         * @description Returns the operation of an earlier request of this account. The status is 202 while it is pending or processing: wait a second or two before polling again. A delivered operation has the body of its own action, with the evidence checked again: `withheld_units` counts units that may no longer be shown. A failed or expired operation has the error with which it ended.
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
         * @description Returns usage and limits of the subscription, which all of its keys share. Unmetered: it takes no idempotency key and costs nothing.
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
        /** Tell whether the process is alive */
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
        /** Tell whether requests can be served */
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
            /** @description Companies per page, at most the plan's page size: by default 25 (builder) or 50 (professional). Default: 10. */
            limit?: number;
            /** @description The next_cursor of the previous page. All other inputs must be the same as for that page. */
            cursor?: string | null;
            /** @description true: the answer is 202 at once, and the search runs later. Poll the operation. Default: false. */
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
             * @description The event is later than this ISO 8601 instant with an offset.
             */
            occurred_after?: string;
            /**
             * Format: date-time
             * @description It was observed later than this ISO 8601 instant with an offset.
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
        /** @description One metered request, with its outcome and its cost. */
        Operation: {
            /** @description Id for polling the operation: GET /api/usages/{id}. */
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
            /** @description Address of the source; for a company profile it may be only a homepage. */
            source_uri: string;
            /** @description The supporting text, as stored. */
            excerpt: string;
            /** @description Null for a profile without an event date. */
            occurred_at: string | null;
            /** Format: date-time */
            observed_at: string;
            /**
             * Format: date-time
             * @description When the unchanged source record was last retrieved: neither a new event nor a verification.
             */
            last_seen_at?: string;
        };
        /** @description The company that an observation is about. */
        CompanyIdentity: {
            id: number;
            name: string;
        };
        /** @description A dated fact about the company that contains it. */
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
            /** @description When the observation ceases to be shown. */
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
            /** @description When the observation ceases to be shown. */
            expires_at: string | null;
            evidence: components["schemas"]["Evidence"][];
            /** @description NAICS 2022 sectors as its source reports them: industry, not buying intent. */
            categories?: ("11" | "21" | "22" | "23" | "42" | "51" | "52" | "53" | "54" | "55" | "56" | "61" | "62" | "71" | "72" | "81" | "92" | "31-33" | "44-45" | "48-49")[];
            company: components["schemas"]["CompanyIdentity"];
        };
        /** @description A company with its latest observations; not a full profile. */
        Company: {
            id: number;
            name: string;
            /** @description Only domains that these observations support. */
            domains: {
                id: number;
                hostname: string;
            }[];
            /** @description The latest observations that may be shown now. */
            observations: components["schemas"]["NestedObservation"][];
            /** @description What to know before relying on the company: single_source (all of its observations here come from one source of the dataset, whatever the hosts of their evidence), structural_only, stale_evidence, or none. */
            limitations: string[];
        };
        /** @description A company in a search result, with the observations that match best. */
        FoundCompany: {
            id: number;
            name: string;
            /** @description What to know before relying on the company: single_source (all of its observations here come from one source of the dataset, whatever the hosts of their evidence), structural_only, stale_evidence, condition_not_stated (no record below states the place, time, amount or other condition that the query asks for), or none. */
            limitations: string[];
            /**
             * @description The demand class of its best match.
             * @enum {string}
             */
            demand_class: "explicit_request" | "proxy" | "structural";
            /** @description The sentence of its best match. */
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
             * @description When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always partial: a company or fact that is missing here may exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late. */
            limitations: string[];
            /** @description Number of delivered units that are missing here, because they may no longer be shown. */
            withheld_units: number;
            /** @description Cursor of the next page, which needs a new key. Null if there is no further page. */
            next_cursor: string | null;
            /**
             * @description lexical: by words; hybrid: by words and meaning.
             * @enum {string}
             */
            retrieval: "lexical" | "hybrid";
            /** @constant */
            ranking: "query_relevance_baseline";
            /** @description Max number of results on all pages of a search. */
            candidate_limit: number;
            /** @constant */
            delivery_unit: "company";
            coverage: {
                requested_companies: number;
                returned_companies: number;
                /**
                 * @description limit_reached: the page is full; shortlist_exhausted: there is no further match, and the page is not filled up with poor matches; no_match: nothing matches the query.
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
             * @description When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always partial: a company or fact that is missing here may exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late. */
            limitations: string[];
            /** @description Number of delivered units that are missing here, because they may no longer be shown. */
            withheld_units: number;
            /** @description Cursor of the next page, which needs a new key. Null if there is no further page. */
            next_cursor: string | null;
            /**
             * @description lexical: by words; hybrid: by words and meaning.
             * @enum {string}
             */
            retrieval: "lexical" | "hybrid";
            /** @constant */
            ranking: "query_relevance_baseline";
            /** @description Max number of results on all pages of a search. */
            candidate_limit: number;
            /** @constant */
            delivery_unit: "observation";
            coverage: {
                requested_observations: number;
                returned_observations: number;
                /**
                 * @description limit_reached: the page is full; shortlist_exhausted: there is no further match, and the page is not filled up with poor matches; no_match: nothing matches the query.
                 * @enum {string}
                 */
                stop_reason: "limit_reached" | "shortlist_exhausted" | "no_match";
                limitations: string[];
            };
            /** @description Best match first; an empty list is a success. */
            observations: components["schemas"]["Observation"][];
        };
        /** @description The outcome of one target, with the requested id or hostname. */
        LookupOutcome: {
            id: number;
            /**
             * @description found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; unavailable: found when the operation was settled, withheld now
             * @enum {string}
             */
            status: "found" | "not_found" | "ambiguous" | "unavailable";
            /** @description Present if found. */
            company_id?: number;
        } | {
            hostname: string;
            /**
             * @description found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; unavailable: found when the operation was settled, withheld now
             * @enum {string}
             */
            status: "found" | "not_found" | "ambiguous" | "unavailable";
            /** @description Present if found. */
            company_id?: number;
        };
        /** @description The companies that were found, and one outcome for each target. */
        CompanyLookupResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            /**
             * Format: date-time
             * @description When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always partial: a company or fact that is missing here may exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late. */
            limitations: string[];
            /** @description Number of delivered units that are missing here, because they may no longer be shown. */
            withheld_units: number;
            /** @constant */
            delivery_unit: "company";
            companies: components["schemas"]["Company"][];
            /** @description One outcome for each distinct target. */
            lookups: components["schemas"]["LookupOutcome"][];
        };
        /** @description The status of a hostname; not_found says nothing about the company. */
        DomainStatus: {
            /** @description The normalized hostname. */
            hostname: string;
            /**
             * @description not_found: no coverage yet.
             * @enum {string}
             */
            status: "found" | "not_found";
        };
        /** @description Observations that were recorded after since. Pass as_of unchanged as the next since, and nothing is missed. as_of moves forward with every page, so cursors may be ignored. */
        ObservationListResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            /**
             * Format: date-time
             * @description When this was answered. For a listing, the moment up to which nothing is missing: pass it as the next since, with all its digits.
             */
            as_of: string;
            /**
             * @description Always partial: a company or fact that is missing here may exist.
             * @constant
             */
            coverage_status: "partial";
            /** @description Limitations of this answer. limited_source_coverage: always present. dataset_read_only: no source was asked. hybrid_unavailable: ranked by words alone. spelling_changed: a word or name that the dataset does not know was read as the nearest known one. acquisition_incomplete: a source that was asked for more records failed or was late. */
            limitations: string[];
            /** @description Number of delivered units that are missing here, because they may no longer be shown. */
            withheld_units: number;
            /** @description Cursor of the next page, which needs a new key. Null if there is no further page. */
            next_cursor: string | null;
            /** @constant */
            delivery_unit: "company";
            /** @description In the order in which the hostnames gained them. */
            observations: components["schemas"]["Observation"][];
            /** @description One status for each distinct requested hostname. */
            domains: components["schemas"]["DomainStatus"][];
        };
        /** @description Subscription and limits at the time of the request, which took all steps of a metered request. */
        DiagnosticResult: {
            usage: components["schemas"]["Operation"];
            request_allowance: components["schemas"]["Allowance"];
            subscription: {
                plan: string;
                /** @description active or trialing; requests with another status are refused. */
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
                /** @description active or trialing; requests with another status are refused. */
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
            /** @description Units that are reserved for unfinished operations. */
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
        /** @description The body that the operation's own action returns. */
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
            /** @description The reason, for operators. */
            reason: string;
            /** @description Share of the index that is built, while it is being built. */
            progress_percent?: number;
        };
        /** @description The request did not succeed. usage is present if a stored operation ended with this error. */
        ErrorEnvelope: {
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description The message for people. It names the faulty field if there is one. */
                message: string;
                /**
                 * Format: date-time
                 * @description When the same request may succeed.
                 */
                retry_at?: string;
                /** @description Seconds from the refusal to retry_at. */
                retry_after_seconds?: number;
            };
            usage?: components["schemas"]["Operation"];
            request_allowance?: components["schemas"]["Allowance"];
        };
        /**
         * @description Code by which programs decide. A later version may have more codes.
         * @enum {string}
         */
        ErrorCode: "invalid_api_key" | "subscription_required" | "invalid_lookup" | "invalid_search" | "unsupported_request" | "invalid_cursor" | "idempotency_conflict" | "result_limit_reached" | "request_limit_reached" | "delivery_limit_reached" | "too_many_requests" | "company_not_found" | "observation_not_found" | "usage_not_found" | "planning_unavailable" | "retrieval_unavailable" | "invalid_plan" | "usage_expired" | "usage_failed" | "malformed_request" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "forbidden_origin" | "internal_error" | "unavailable";
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
        /** @description `too_many_requests`: Too many reads in this minute, or too many unfinished requests. Try again at retry_at. */
        too_many_requests: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"] & {
                    error: {
                        /** @enum {string} */
                        code: "too_many_requests";
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
        /** @description `method_not_allowed`: This path does not support this method. */
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
        /** @description `payload_too_large`: The body is larger than this service accepts. */
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
        /** @description `unsupported_media_type`: The body must be application/json, in UTF-8. */
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
        /** @description `unavailable`: The service cannot answer at present. Try again shortly, with the same key. */
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
        /** @description Id of the answer. Every answer has one; state it when you report a problem. */
        "Request-Id": string;
        /** @description true if an earlier request started the operation; otherwise absent. */
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
         * @description Address for polling the operation, relative to the address of the request.
         * @example ../usages/5021
         */
        Location: string;
        /** @description The methods that the path accepts. */
        Allow: string;
        /** @description The scheme of authentication. */
        "WWW-Authenticate": "Bearer";
        /** @description Version of the document, for If-None-Match. */
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
                /** @description Names one operation for ever. Use the same key for every retry of the same request, and a new one for every other request and every next page. Send one header, without a comma before a space. */
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
            /** @description Delivered by this or an earlier request. */
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
            /** @description The operation is pending or processing. Poll `Location` after `Retry-After` seconds. */
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
             *     `unsupported_request`: This service does not answer such a request. Ask for companies by what they do or need. A query that only excludes also needs a subject ("tenders, not construction") or a filter. A name belongs between quotation marks.
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
             *     `delivery_limit_reached`: The delivery allowance cannot cover this request. Request less, or try again at retry_at.
             *
             *     `too_many_requests`: Too many reads in this minute, or too many unfinished requests. Try again at retry_at.
             */
            429: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit-if-any"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-if-any"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"] & {
                        error: {
                            /** @enum {string} */
                            code: "request_limit_reached" | "delivery_limit_reached" | "too_many_requests";
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
             *     `unavailable`: The service cannot answer at present. Try again shortly, with the same key.
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
                /** @description Names one operation for ever. Use the same key for every retry of the same request, and a new one for every other request and every next page. Send one header, without a comma before a space. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delivered by this or an earlier request. */
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
            /** @description The operation is pending or processing. Poll `Location` after `Retry-After` seconds. */
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
             *     `delivery_limit_reached`: The delivery allowance cannot cover this request. Request less, or try again at retry_at.
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
                 * @description Only observations that were recorded after this instant with an offset. To continue, pass the as_of of the previous page with all its digits; after paging by cursors, that of the last page.
                 * @example 2026-03-01T00:00:00Z
                 */
                since: string;
                /** @description Only these kinds of observation. */
                "kinds[]"?: ("procurement_request" | "facility_expansion" | "funding_round" | "leadership_change" | "product_launch" | "partnership" | "technology_use" | "job_posting" | "company_profile")[];
                /** @description Observations per page. */
                limit?: number;
                /** @description The next_cursor of the previous page. All other inputs must be the same as for that page. */
                cursor?: string;
            };
            header: {
                /** @description Names one operation for ever. Use the same key for every retry of the same request, and a new one for every other request and every next page. Send one header, without a comma before a space. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delivered by this or an earlier request. */
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
            /** @description The operation is pending or processing. Poll `Location` after `Retry-After` seconds. */
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
             *     `delivery_limit_reached`: The delivery allowance cannot cover this request. Request less, or try again at retry_at.
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
            429: components["responses"]["too_many_requests"];
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
            429: components["responses"]["too_many_requests"];
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
            /** @description The operation is pending or processing. Poll `Location` after `Retry-After` seconds. */
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
             *     `unsupported_request`: This service does not answer such a request. Ask for companies by what they do or need. A query that only excludes also needs a subject ("tenders, not construction") or a filter. A name belongs between quotation marks.
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
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            /**
             * @description `planning_unavailable`: The search could not be prepared. Try again with a new key.
             *
             *     `retrieval_unavailable`: The search could not be performed. Try again with a new key.
             *
             *     `unavailable`: The service cannot answer at present. Try again shortly, with the same key.
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
            429: components["responses"]["too_many_requests"];
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
            /** @description The process is alive. */
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
            /** @description Requests can be served. */
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
            /** @description Requests cannot be served at present. */
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
            /** @description The document is the one that If-None-Match names. */
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
