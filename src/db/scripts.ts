/** The scripts of sql/, imported as text. Generated: run `deno task scripts`. */
import accountsTables from "../../sql/0001_accounts.sql" with { type: "text" };
import operationsTables from "../../sql/0002_operations.sql" with { type: "text" };
import datasetTables from "../../sql/0003_dataset.sql" with { type: "text" };
import searchTables from "../../sql/0004_search.sql" with { type: "text" };
import operatorsTables from "../../sql/0005_operators.sql" with { type: "text" };
import operationChecksTables from "../../sql/0006_operation_checks.sql" with { type: "text" };
import searchTablesTables from "../../sql/0007_search_tables.sql" with { type: "text" };
import datasetMomentsTables from "../../sql/0008_dataset_moments.sql" with { type: "text" };
import statisticsTables from "../../sql/0009_statistics.sql" with { type: "text" };
import referencesTables from "../../sql/0010_references.sql" with { type: "text" };
import deliverableView from "../../sql/views/deliverable.sql" with { type: "text" };
import acquireObservations from "../../sql/functions/acquire_observations.sql" with {
  type: "text",
};
import advanceDatasetClock from "../../sql/functions/advance_dataset_clock.sql" with {
  type: "text",
};
import allowance from "../../sql/functions/allowance.sql" with { type: "text" };
import answers from "../../sql/functions/answers.sql" with { type: "text" };
import cancelOperation from "../../sql/functions/cancel_operation.sql" with { type: "text" };
import claimAndSettleOperation from "../../sql/functions/claim_and_settle_operation.sql" with {
  type: "text",
};
import claimOperation from "../../sql/functions/claim_operation.sql" with { type: "text" };
import companyMentions from "../../sql/functions/company_mentions.sql" with { type: "text" };
import cutExcerpts from "../../sql/functions/cut_excerpts.sql" with { type: "text" };
import deliverableEntries from "../../sql/functions/deliverable_entries.sql" with { type: "text" };
import embeddings from "../../sql/functions/embeddings.sql" with { type: "text" };
import findCaller from "../../sql/functions/find_caller.sql" with { type: "text" };
import findCompany from "../../sql/functions/find_company.sql" with { type: "text" };
import finishOperation from "../../sql/functions/finish_operation.sql" with { type: "text" };
import finishRefresh from "../../sql/functions/finish_refresh.sql" with { type: "text" };
import giveBackLeases from "../../sql/functions/give_back_leases.sql" with { type: "text" };
import indexDocuments from "../../sql/functions/index_documents.sql" with { type: "text" };
import joinByName from "../../sql/functions/join_by_name.sql" with { type: "text" };
import joinCompanies from "../../sql/functions/join_companies.sql" with { type: "text" };
import lastVersion from "../../sql/functions/last_version.sql" with { type: "text" };
import leaseFeed from "../../sql/functions/lease_feed.sql" with { type: "text" };
import leaseOperation from "../../sql/functions/lease_operation.sql" with { type: "text" };
import leaseSearchTables from "../../sql/functions/lease_search_tables.sql" with { type: "text" };
import listObservations from "../../sql/functions/list_observations.sql" with { type: "text" };
import lookUpCompanies from "../../sql/functions/look_up_companies.sql" with { type: "text" };
import manageAccounts from "../../sql/functions/manage_accounts.sql" with { type: "text" };
import manageCompanies from "../../sql/functions/manage_companies.sql" with { type: "text" };
import manageDataset from "../../sql/functions/manage_dataset.sql" with { type: "text" };
import manageSources from "../../sql/functions/manage_sources.sql" with { type: "text" };
import moveCompany from "../../sql/functions/move_company.sql" with { type: "text" };
import noteKeyUses from "../../sql/functions/note_key_uses.sql" with { type: "text" };
import observationRows from "../../sql/functions/observation_rows.sql" with { type: "text" };
import queueRefreshes from "../../sql/functions/queue_refreshes.sql" with { type: "text" };
import readCompany from "../../sql/functions/read_company.sql" with { type: "text" };
import readOperation from "../../sql/functions/read_operation.sql" with { type: "text" };
import readUsage from "../../sql/functions/read_usage.sql" with { type: "text" };
import recordCompanies from "../../sql/functions/record_companies.sql" with { type: "text" };
import recordObservations from "../../sql/functions/record_observations.sql" with { type: "text" };
import relistObservations from "../../sql/functions/relist_observations.sql" with { type: "text" };
import removeDemo from "../../sql/functions/remove_demo.sql" with { type: "text" };
import semanticModels from "../../sql/functions/semantic_models.sql" with { type: "text" };
import settleOperation from "../../sql/functions/settle_operation.sql" with { type: "text" };
import splitCompany from "../../sql/functions/split_company.sql" with { type: "text" };
import subscriptionReport from "../../sql/functions/subscription_report.sql" with { type: "text" };
import sweepOperations from "../../sql/functions/sweep_operations.sql" with { type: "text" };
import takeOperation from "../../sql/functions/take_operation.sql" with { type: "text" };
import verifyUsage from "../../sql/functions/verify_usage.sql" with { type: "text" };
import writeObservations from "../../sql/functions/write_observations.sql" with { type: "text" };

/** A script that makes a part of the database. */
export interface Script {
  /** Path below sql/ without its ending. */
  name: string;
  text: string;
}

/** Scripts that run once each, in this order. They never change afterwards. */
export const TABLE_SCRIPTS: readonly Script[] = [
  { name: "0001_accounts", text: accountsTables },
  { name: "0002_operations", text: operationsTables },
  { name: "0003_dataset", text: datasetTables },
  { name: "0004_search", text: searchTables },
  { name: "0005_operators", text: operatorsTables },
  { name: "0006_operation_checks", text: operationChecksTables },
  { name: "0007_search_tables", text: searchTablesTables },
  { name: "0008_dataset_moments", text: datasetMomentsTables },
  { name: "0009_statistics", text: statisticsTables },
  { name: "0010_references", text: referencesTables },
];

/**
 * Scripts that run again after each change, in this order and after the tables. Each must allow
 * repeated runs.
 */
export const VIEW_SCRIPTS: readonly Script[] = [
  { name: "views/deliverable", text: deliverableView },
];

/**
 * Scripts that run again after each change, in this order and after the views. Each must allow
 * repeated runs.
 */
export const FUNCTION_SCRIPTS: readonly Script[] = [
  { name: "functions/acquire_observations", text: acquireObservations },
  { name: "functions/advance_dataset_clock", text: advanceDatasetClock },
  { name: "functions/allowance", text: allowance },
  { name: "functions/answers", text: answers },
  { name: "functions/cancel_operation", text: cancelOperation },
  { name: "functions/claim_and_settle_operation", text: claimAndSettleOperation },
  { name: "functions/claim_operation", text: claimOperation },
  { name: "functions/company_mentions", text: companyMentions },
  { name: "functions/cut_excerpts", text: cutExcerpts },
  { name: "functions/deliverable_entries", text: deliverableEntries },
  { name: "functions/embeddings", text: embeddings },
  { name: "functions/find_caller", text: findCaller },
  { name: "functions/find_company", text: findCompany },
  { name: "functions/finish_operation", text: finishOperation },
  { name: "functions/finish_refresh", text: finishRefresh },
  { name: "functions/give_back_leases", text: giveBackLeases },
  { name: "functions/index_documents", text: indexDocuments },
  { name: "functions/join_by_name", text: joinByName },
  { name: "functions/join_companies", text: joinCompanies },
  { name: "functions/last_version", text: lastVersion },
  { name: "functions/lease_feed", text: leaseFeed },
  { name: "functions/lease_operation", text: leaseOperation },
  { name: "functions/lease_search_tables", text: leaseSearchTables },
  { name: "functions/list_observations", text: listObservations },
  { name: "functions/look_up_companies", text: lookUpCompanies },
  { name: "functions/manage_accounts", text: manageAccounts },
  { name: "functions/manage_companies", text: manageCompanies },
  { name: "functions/manage_dataset", text: manageDataset },
  { name: "functions/manage_sources", text: manageSources },
  { name: "functions/move_company", text: moveCompany },
  { name: "functions/note_key_uses", text: noteKeyUses },
  { name: "functions/observation_rows", text: observationRows },
  { name: "functions/queue_refreshes", text: queueRefreshes },
  { name: "functions/read_company", text: readCompany },
  { name: "functions/read_operation", text: readOperation },
  { name: "functions/read_usage", text: readUsage },
  { name: "functions/record_companies", text: recordCompanies },
  { name: "functions/record_observations", text: recordObservations },
  { name: "functions/relist_observations", text: relistObservations },
  { name: "functions/remove_demo", text: removeDemo },
  { name: "functions/semantic_models", text: semanticModels },
  { name: "functions/settle_operation", text: settleOperation },
  { name: "functions/split_company", text: splitCompany },
  { name: "functions/subscription_report", text: subscriptionReport },
  { name: "functions/sweep_operations", text: sweepOperations },
  { name: "functions/take_operation", text: takeOperation },
  { name: "functions/verify_usage", text: verifyUsage },
  { name: "functions/write_observations", text: writeObservations },
];
