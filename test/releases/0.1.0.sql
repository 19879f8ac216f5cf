INSERT INTO pgmq.a_operations VALUES (4, 0, '2026-11-29 02:38:23.758244+00', NULL, '2026-11-29 02:38:23.760332+00', '2026-11-29 02:38:23.758639+00', '{}', NULL);

INSERT INTO pgmq.q_operations OVERRIDING SYSTEM VALUE VALUES (3, 0, '2026-11-29 02:38:23.750103+00', NULL, '2026-11-29 02:38:23.751579+00', '{"operation_id": 7}', '{"account_id": 1}');

INSERT INTO pgmq.q_refreshes OVERRIDING SYSTEM VALUE VALUES (1, 0, '2026-11-29 02:38:23.697047+00', NULL, '2026-11-29 02:38:23.699589+00', '{"source": "homepage", "hostname": "unknown.example"}', '{"account_id": 1}');

INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (1, 'A customer', '2026-11-29 02:38:22.101503+00', false);
INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (2, 'demo', '2026-11-29 02:38:22.115807+00', true);

INSERT INTO public.plans VALUES ('professional', 50, 3600, 600, 10000, 5000, 50000, 3000);
INSERT INTO public.plans VALUES ('demo', 25, 3600, 100, 1000, 1000, 10000, 600);
INSERT INTO public.plans VALUES ('builder', 10, 604800, 120, 2000, 1000, 10000, 600);

INSERT INTO public.subscriptions OVERRIDING SYSTEM VALUE VALUES (1, 1, 'builder', 'active', '2026-11-29 02:38:22.101+00', '2026-12-29 02:38:22.101+00', NULL);
INSERT INTO public.subscriptions OVERRIDING SYSTEM VALUE VALUES (2, 2, 'demo', 'active', '2026-11-29 02:38:22.115+00', '2026-12-29 02:38:22.115+00', NULL);

INSERT INTO public.allowances VALUES (2, '-infinity', 0, 0, 0, '-infinity', 0, 0, 0, 0);
INSERT INTO public.allowances VALUES (1, '2026-11-26 00:00:00+00', 4, 2, 0, '2026-11-29 02:38:22.101+00', 4, 2, 1, 10);

INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (1, 1, 'production', '\x06cb908c163a37bea6bbf745cda8d5c4506a3d8be63a4b20960502cf087dcef0', '2026-11-29 02:38:22.110352+00', NULL, 'ce_rGEOeb', NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (2, 1, 'revoked', '\x1770b008946d252abb5344cf4c99b20f791afad66330d444951d10e49fc6463a', '2026-11-29 02:38:22.113315+00', '2026-11-29 02:38:22.11432+00', 'ce_BEYmtZ', NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (3, 2, 'demo', '\x2eb39d0ccce1160b083cbbeb941901fd73542434435438fbe44bc252b36c8004', '2026-11-29 02:38:22.118056+00', NULL, 'ce_WSrhlj', NULL, NULL);

INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (1, 'Company 0', '2026-11-29 02:38:21.881378+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (2, 'Company 1', '2026-11-29 02:38:21.881378+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (3, 'Company 2', '2026-11-29 02:38:21.881378+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (4, 'Zyxon Quay Walls Inc.', '2026-11-29 02:38:21.881378+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (5, 'Twin', '2026-11-29 02:38:21.881378+00', NULL, 2);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (6, 'Demo Company', '2026-11-29 02:38:22.048882+00', NULL, NULL);

INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (1, 'company0.example');
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (2, 'company1.example');
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (3, 'company2.example');
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (4, 'harbour.example');

INSERT INTO public.company_domains VALUES (1, 1, true);
INSERT INTO public.company_domains VALUES (2, 2, true);
INSERT INTO public.company_domains VALUES (3, 3, true);
INSERT INTO public.company_domains VALUES (4, 3, true);

INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (1, 'acme-feed', true, '2026-11-29 02:38:21.881378+00', NULL, NULL, false, NULL);
INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (2, 'demo', true, '2026-11-29 02:38:22.048882+00', NULL, NULL, false, NULL);
INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (3, 'greenhouse', true, '2026-11-29 02:38:22.069499+00', NULL, NULL, false, NULL);
INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (4, 'homepage', true, '2026-11-29 02:38:22.085408+00', '1 day', NULL, false, NULL);

INSERT INTO public.company_external_ids VALUES (1, 'c0', 1, 'Company 0');
INSERT INTO public.company_external_ids VALUES (1, 'c1', 2, 'Company 1');
INSERT INTO public.company_external_ids VALUES (1, 'c2', 3, 'Company 2');
INSERT INTO public.company_external_ids VALUES (1, 'z', 4, 'Zyxon Quay Walls Inc.');

INSERT INTO public.company_identifiers VALUES ('cik', '0000000001', 1, 1, 'c0');
INSERT INTO public.company_identifiers VALUES ('cik', '0000000002', 2, 1, 'c1');
INSERT INTO public.company_identifiers VALUES ('cik', '0000000003', 3, 1, 'c2');

INSERT INTO public.company_join_names VALUES ('zyxonquaywalls', 1, 'z', 'inc', true, false, '{CA}', '{31-33}', '{}');

INSERT INTO public.company_merges OVERRIDING SYSTEM VALUE VALUES (1, 2, 5, 'one bakery', NULL, '2026-11-29 02:38:22.018+00', NULL, '{6}', '{"names": [{"own": false, "country": "CA", "source_id": 1, "legal_form": "", "normalized_name": "twin"}], "domains": [], "identifiers": [], "external_ids": []}', false, false);

INSERT INTO public.company_names VALUES (1, 'company 0', 'CA', 1, '');
INSERT INTO public.company_names VALUES (1, 'company 1', 'CA', 2, '');
INSERT INTO public.company_names VALUES (1, 'company 2', 'CA', 3, '');
INSERT INTO public.company_names VALUES (1, 'zyxon quay walls', 'CA', 4, 'inc');
INSERT INTO public.company_names VALUES (1, 'twin', 'CA', 2, '');
INSERT INTO public.company_names VALUES (2, 'demo', 'CA', 6, '');

INSERT INTO public.dataset_clock VALUES (true, 7, '2026-11-29 02:38:22.07+00', '1e9d63a8-17ac-4a74-a1c2-002d608c82df', '2026-11-29 02:38:22.049+00', '2026-11-29 02:38:22.049+00');

INSERT INTO public.embedding_models OVERRIDING SYSTEM VALUE VALUES (1, 'model', 1, 2, 0, 0, 0, NULL, NULL, NULL, '2026-11-29 02:38:22.089246+00', '-infinity', 0);

INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (1, 1, 'fact-0', 1, 'facility_expansion', 'A freezer warehouse opens.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x8c7dd8766ed0b705ddb34630e4bd4fd9646f475dcdb5b8729feb3c27a2d1de9e', '2026-11-29 02:38:21.883995+00', NULL, NULL, 1, 'c0', NULL, '{cik:0000000001}', '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (2, 1, 'fact-1', 2, 'facility_expansion', 'A bakery buys ovens.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xd71a9d6dfa3776364a1fc74acd68d52ee75e5728c455054d0e9b7eb014aa1e8a', '2026-11-29 02:38:21.883996+00', NULL, NULL, 1, 'c1', NULL, '{cik:0000000002}', '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (3, 1, 'fact-2', 3, 'facility_expansion', 'A harbour hires welders.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xfb31a7a87a2cad5b15a661f30a67407def054fb1354ff5042f73caba7429bab2', '2026-11-29 02:38:21.883997+00', NULL, NULL, 1, 'c2', NULL, '{cik:0000000003}', '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (5, 1, 'profile', 4, 'company_profile', 'Builds quay walls.', 'New halls need refrigeration and racking.', 'structural', 'CA', 0.8, NULL, '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xc357fcbbbde66ddd89378071756523f4da9f94ff75e715420653bcfad4373811', '2026-11-29 02:38:21.883999+00', NULL, NULL, 1, 'z', NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (7, 1, 'gain', 3, 'facility_expansion', 'A harbour grows.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x0ecdb277344d0b6544f444220443ad3978ca68d401a06d54a91ebea1db588915', '2026-11-29 02:38:21.985+00', NULL, NULL, 2, 'c2', NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (4, 1, 'withdrawn', 1, 'facility_expansion', 'A mine closes.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xa8e0ed6cb6c7f18cfadd0b3719232f175bd9e570ef89915058cd915dff03b21d', '2026-11-29 02:38:21.883998+00', NULL, '2026-11-29 02:38:22.007909+00', 3, NULL, NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (6, 1, 'merged', 2, 'facility_expansion', 'A bakery grows.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x20551bf2a0a2a5d136187e9d4983d43a625ad4b8e36e992b8712781304ebd2d2', '2026-11-29 02:38:22.018+00', NULL, NULL, 5, NULL, NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (8, 2, 'demo', 6, 'facility_expansion', 'A second cold storage hall is being built.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x864c131bfcdeb6c35f8144b97fbf5b895d9426488e99af3cdba3df355c77482f', '2026-11-29 02:38:22.049+00', NULL, NULL, 6, NULL, NULL, NULL, '{}', '{}');

INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (1, 1, 'https://news.example/1', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (2, 2, 'https://news.example/2', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (3, 3, 'https://news.example/3', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (4, 4, 'https://news.example/4', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (5, 5, 'https://news.example/5', 'The company said that it is building a second hall.', NULL, '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (6, 6, 'https://news.example/6', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (7, 7, 'https://news.example/7', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (8, 8, 'https://news.example/8', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);

INSERT INTO public.hostname_refreshes VALUES (4, 'unknown.example', '2026-11-29 02:38:22.12+00');

INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 'expired', 'search_companies', '\x6bed846134e33ffd7b8f1ccbf59b8945bbbc04541b68a323b06ca361520d377a', '\x6bed846134e33ffd7b8f1ccbf59b8945bbbc04541b68a323b06ca361520d377a', NULL, 'expired', '2026-11-29 02:38:22.12+00', '2026-11-29 02:38:22.12+00', '2026-11-29 02:38:22.12+00', NULL, NULL, 1, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', 1, 10, 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (2, 1, 1, 'failed', 'search_companies', '\x404daabb3b0771be5bb1a791a8b86737839af4093d1867ec27b0e6e615728b6d', '\x404daabb3b0771be5bb1a791a8b86737839af4093d1867ec27b0e6e615728b6d', NULL, 'failed', '2026-11-29 02:38:22.12+00', '2026-11-29 02:53:22.12+00', '2026-11-29 02:38:22.12+00', NULL, NULL, NULL, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', 1, 10, 0, 0, 0, 'usage_failed', NULL, NULL, 0, NULL, NULL, NULL);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (3, 1, 1, 'first', 'search_companies', '\xbe2acc61cc7e1c96e16a575c8325d699c6a8f3f24a3bd9cd82eca07a8dac5ab2', '\xbe2acc61cc7e1c96e16a575c8325d699c6a8f3f24a3bd9cd82eca07a8dac5ab2', '{"limit": 1, "query": "bakery, harbour or freezer", "filters": {"kinds": [], "domains": [], "countries": [], "company_ids": [], "demand_classes": [], "observed_after": null, "occurred_after": null, "exclude_domains": [], "exclude_company_ids": []}}', 'delivered', '2026-11-29 02:38:22.12+00', '2026-11-29 02:53:22.12+00', '2026-11-29 02:38:22.12+00', NULL, NULL, NULL, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', 1, 1, 1, 1, 0, NULL, '{"as_of": "2026-11-29T02:38:22.120Z", "entries": [{"company_id": 2, "observation_ids": [6, 2]}], "retrieval": "lexical", "limitations": []}', NULL, 0, 1, '96wwYzOm-wsOcRIsbOhfB3b7l2Ea1Asw', NULL);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (4, 1, 1, 'listing', 'list_observations', '\x7068a1bd7d06ca1cfdb75966daee1be34cf67bef9e3d8c9a67c26be8faf4759b', '\x7068a1bd7d06ca1cfdb75966daee1be34cf67bef9e3d8c9a67c26be8faf4759b', '{"kinds": [], "limit": 1, "since": "2026-01-01T00:00:00.000000Z", "domains": ["company2.example"]}', 'delivered', '2026-11-29 02:38:22.12+00', '2026-11-29 02:53:22.12+00', '2026-11-29 02:38:22.12+00', NULL, NULL, NULL, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', 1, 1, 1, 1, 0, NULL, '{"as_of": "2026-11-29T02:38:21.883997Z", "domains": [{"status": "found", "hostname": "company2.example"}], "entries": [{"company_id": 3, "observation_ids": [3]}]}', NULL, 0, 0, 'ZB5OZGm1tAj1PsL8bb5EZb7uXT1lxB8X', NULL);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (5, 1, 1, 'unknown', 'get_companies', '\xfcde625e855dee6febbee39b1762a54ad9c1049791af020e0b89f13d5d4cad4b', '\xfcde625e855dee6febbee39b1762a54ad9c1049791af020e0b89f13d5d4cad4b', '{"ids": [], "domains": ["unknown.example"]}', 'delivered', '2026-11-29 02:38:22.12+00', '2026-11-29 02:53:22.12+00', '2026-11-29 02:38:22.12+00', NULL, NULL, NULL, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', 1, 1, 1, 0, 0, NULL, '{"as_of": "2026-11-29T02:38:22.120Z", "entries": [], "lookups": [{"status": "not_found", "hostname": "unknown.example"}]}', NULL, 0, NULL, NULL, NULL);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (6, 1, 1, 'performed', 'search_companies', '\x61ecfd3b1c9156f3c71cdb8e78a21baf4e6d5648cf5036e417852cc416fcadea', '\x61ecfd3b1c9156f3c71cdb8e78a21baf4e6d5648cf5036e417852cc416fcadea', '{"limit": 10, "query": "performed", "filters": {"kinds": [], "domains": [], "countries": [], "company_ids": [], "demand_classes": [], "observed_after": null, "occurred_after": null, "exclude_domains": [], "exclude_company_ids": []}}', 'delivered', '2026-11-29 02:38:22.12+00', '2026-11-29 02:53:22.12+00', '2026-11-29 02:38:22.12+00', NULL, NULL, 2, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', 1, 10, 1, 0, 0, NULL, '{"as_of": "2026-11-29T02:38:22.120Z", "entries": [], "retrieval": "lexical", "limitations": [], "asked_sources": false}', NULL, 0, NULL, NULL, NULL);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (7, 1, 1, 'pending', 'search_companies', '\x3172d3a70481883f42dfc2351a1936c37b7fe2e142483cb5b2ee72a4770e3521', '\x3172d3a70481883f42dfc2351a1936c37b7fe2e142483cb5b2ee72a4770e3521', '{"limit": 10, "query": "ovens for a bakery", "filters": {"kinds": [], "domains": [], "countries": [], "company_ids": [], "demand_classes": [], "observed_after": null, "occurred_after": null, "exclude_domains": [], "exclude_company_ids": []}}', 'pending', '2026-11-29 02:38:22.12+00', '2026-11-29 02:53:22.12+00', NULL, NULL, NULL, 3, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', 1, 10, 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL);

INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (1, 3, 1, 1, 1, 0, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', '2026-11-29 02:38:22.12+00');
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (2, 4, 1, 1, 1, 0, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', '2026-11-29 02:38:22.12+00');
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (3, 5, 1, 1, 0, 0, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', '2026-11-29 02:38:22.12+00');
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (4, 6, 1, 1, 0, 0, '2026-11-26 00:00:00+00', '2026-11-29 02:38:22.101+00', '2026-11-29 02:38:22.12+00');

INSERT INTO public.observation_domains VALUES (1, 1);
INSERT INTO public.observation_domains VALUES (2, 2);
INSERT INTO public.observation_domains VALUES (3, 3);
INSERT INTO public.observation_domains VALUES (7, 4);

INSERT INTO public.observation_embeddings VALUES (1, 2, '\x01', '\x7f00', 0.0078125, 1);

INSERT INTO public.queue_turns VALUES ('operations', 1, '2026-11-29 02:38:23.719224+00');

INSERT INTO public.relisted_observations VALUES (4, 3, '2026-11-29 02:38:21.984+00');

INSERT INTO public.search_writer VALUES (true, NULL, NULL);

INSERT INTO public.shortlists VALUES (3, '{"entries": [{"company_id": 2, "observation_ids": [6, 2]}, {"company_id": 3, "observation_ids": [7, 3]}, {"company_id": 1, "observation_ids": [1]}], "retrieval": "lexical", "limitations": []}');
INSERT INTO public.shortlists VALUES (4, '{"until": "2026-11-29T02:38:22.070000Z", "recorded_at": "2026-11-29T02:38:21.883997Z", "observation_id": 3}');

INSERT INTO public.source_feeds OVERRIDING SYSTEM VALUE VALUES (1, 3, 'acme', NULL, '06:00:00', '2026-11-29 02:38:22.074458+00', NULL, NULL, NULL, NULL, NULL, NULL, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.withdrawn_evidence_uris OVERRIDING SYSTEM VALUE VALUES (1, 'https://news.example/withdrawn', '2026-11-29 02:38:22.012242+00');

SELECT pg_catalog.setval('pgmq.q_operations_msg_id_seq', 4, true);

SELECT pg_catalog.setval('pgmq.q_refreshes_msg_id_seq', 1, true);

SELECT pg_catalog.setval('public.accounts_id_seq', 2, true);

SELECT pg_catalog.setval('public.api_keys_id_seq', 3, true);

SELECT pg_catalog.setval('public.companies_id_seq', 6, true);

SELECT pg_catalog.setval('public.company_merges_id_seq', 1, true);

SELECT pg_catalog.setval('public.domains_id_seq', 4, true);

SELECT pg_catalog.setval('public.embedding_models_id_seq', 1, true);

SELECT pg_catalog.setval('public.evidence_id_seq', 8, true);

SELECT pg_catalog.setval('public.ledger_id_seq', 4, true);

SELECT pg_catalog.setval('public.observations_id_seq', 8, true);

SELECT pg_catalog.setval('public.operations_id_seq', 7, true);

SELECT pg_catalog.setval('public.source_feeds_id_seq', 1, true);

SELECT pg_catalog.setval('public.sources_id_seq', 4, true);

SELECT pg_catalog.setval('public.subscriptions_id_seq', 2, true);

SELECT pg_catalog.setval('public.withdrawn_evidence_uris_id_seq', 1, true);
