/**
 * Lists the scripts of sql/ in the order in which they run. They are imported as texts, so that a
 * compiled binary contains them.
 */
import accountsTables from "../../sql/0001_accounts.sql" with { type: "text" };
import operationsTables from "../../sql/0002_operations.sql" with { type: "text" };
import datasetTables from "../../sql/0003_dataset.sql" with { type: "text" };
import searchTables from "../../sql/0004_search.sql" with { type: "text" };
import deliverableView from "../../sql/views/deliverable.sql" with { type: "text" };
import findCaller from "../../sql/functions/accounts/find_caller.sql" with { type: "text" };
import manageAccounts from "../../sql/functions/accounts/manage_accounts.sql" with { type: "text" };
import noteKeyUses from "../../sql/functions/accounts/note_key_uses.sql" with { type: "text" };
import acquireObservations from "../../sql/functions/dataset/acquire_observations.sql" with {
  type: "text",
};
import advanceDatasetClock from "../../sql/functions/dataset/advance_dataset_clock.sql" with {
  type: "text",
};
import findCompany from "../../sql/functions/dataset/find_company.sql" with { type: "text" };
import finishRefresh from "../../sql/functions/dataset/finish_refresh.sql" with { type: "text" };
import joinByName from "../../sql/functions/dataset/join_by_name.sql" with { type: "text" };
import joinCompanies from "../../sql/functions/dataset/join_companies.sql" with { type: "text" };
import leaseFeed from "../../sql/functions/dataset/lease_feed.sql" with { type: "text" };
import listObservations from "../../sql/functions/dataset/list_observations.sql" with {
  type: "text",
};
import manageCompanies from "../../sql/functions/dataset/manage_companies.sql" with {
  type: "text",
};
import manageDataset from "../../sql/functions/dataset/manage_dataset.sql" with { type: "text" };
import manageSources from "../../sql/functions/dataset/manage_sources.sql" with { type: "text" };
import moveCompany from "../../sql/functions/dataset/move_company.sql" with { type: "text" };
import observationRows from "../../sql/functions/dataset/observation_rows.sql" with {
  type: "text",
};
import queueRefreshes from "../../sql/functions/dataset/queue_refreshes.sql" with { type: "text" };
import readCompany from "../../sql/functions/dataset/read_company.sql" with { type: "text" };
import recordCompanies from "../../sql/functions/dataset/record_companies.sql" with {
  type: "text",
};
import recordObservations from "../../sql/functions/dataset/record_observations.sql" with {
  type: "text",
};
import removeDemo from "../../sql/functions/dataset/remove_demo.sql" with { type: "text" };
import splitCompany from "../../sql/functions/dataset/split_company.sql" with { type: "text" };
import allowance from "../../sql/functions/metering/allowance.sql" with { type: "text" };
import answers from "../../sql/functions/metering/answers.sql" with { type: "text" };
import cancelOperation from "../../sql/functions/metering/cancel_operation.sql" with {
  type: "text",
};
import claimOperation from "../../sql/functions/metering/claim_operation.sql" with { type: "text" };
import finishOperation from "../../sql/functions/metering/finish_operation.sql" with {
  type: "text",
};
import giveBackLeases from "../../sql/functions/metering/give_back_leases.sql" with {
  type: "text",
};
import leaseOperation from "../../sql/functions/metering/lease_operation.sql" with { type: "text" };
import readOperation from "../../sql/functions/metering/read_operation.sql" with { type: "text" };
import readUsage from "../../sql/functions/metering/read_usage.sql" with { type: "text" };
import settleOperation from "../../sql/functions/metering/settle_operation.sql" with {
  type: "text",
};
import subscriptionReport from "../../sql/functions/metering/subscription_report.sql" with {
  type: "text",
};
import sweepOperations from "../../sql/functions/metering/sweep_operations.sql" with {
  type: "text",
};
import takeOperation from "../../sql/functions/metering/take_operation.sql" with { type: "text" };
import verifyUsage from "../../sql/functions/metering/verify_usage.sql" with { type: "text" };
import wasDelivered from "../../sql/functions/metering/was_delivered.sql" with { type: "text" };
import readInTurn from "../../sql/functions/queues/read_in_turn.sql" with { type: "text" };
import embeddings from "../../sql/functions/search/embeddings.sql" with { type: "text" };
import indexRows from "../../sql/functions/search/index_rows.sql" with { type: "text" };

/** A script of sql/. */
export interface Script {
  /** Path below sql/ without its ending. */
  name: string;
  text: string;
}

/** Scripts that run once each, in this order. They never change after a release. */
export const TABLE_SCRIPTS: readonly Script[] = [
  { name: "0001_accounts", text: accountsTables },
  { name: "0002_operations", text: operationsTables },
  { name: "0003_dataset", text: datasetTables },
  { name: "0004_search", text: searchTables },
];

/** Scripts of views. Each runs again after a change, after the tables. */
export const VIEW_SCRIPTS: readonly Script[] = [
  { name: "views/deliverable", text: deliverableView },
];

/** Scripts of functions. Each runs again after a change, after the views. */
export const FUNCTION_SCRIPTS: readonly Script[] = [
  { name: "functions/accounts/find_caller", text: findCaller },
  { name: "functions/accounts/manage_accounts", text: manageAccounts },
  { name: "functions/accounts/note_key_uses", text: noteKeyUses },
  { name: "functions/dataset/acquire_observations", text: acquireObservations },
  { name: "functions/dataset/advance_dataset_clock", text: advanceDatasetClock },
  { name: "functions/dataset/find_company", text: findCompany },
  { name: "functions/dataset/finish_refresh", text: finishRefresh },
  { name: "functions/dataset/join_by_name", text: joinByName },
  { name: "functions/dataset/join_companies", text: joinCompanies },
  { name: "functions/dataset/lease_feed", text: leaseFeed },
  { name: "functions/dataset/list_observations", text: listObservations },
  { name: "functions/dataset/manage_companies", text: manageCompanies },
  { name: "functions/dataset/manage_dataset", text: manageDataset },
  { name: "functions/dataset/manage_sources", text: manageSources },
  { name: "functions/dataset/move_company", text: moveCompany },
  { name: "functions/dataset/observation_rows", text: observationRows },
  { name: "functions/dataset/queue_refreshes", text: queueRefreshes },
  { name: "functions/dataset/read_company", text: readCompany },
  { name: "functions/dataset/record_companies", text: recordCompanies },
  { name: "functions/dataset/record_observations", text: recordObservations },
  { name: "functions/dataset/remove_demo", text: removeDemo },
  { name: "functions/dataset/split_company", text: splitCompany },
  { name: "functions/metering/allowance", text: allowance },
  { name: "functions/metering/answers", text: answers },
  { name: "functions/metering/cancel_operation", text: cancelOperation },
  { name: "functions/metering/claim_operation", text: claimOperation },
  { name: "functions/metering/finish_operation", text: finishOperation },
  { name: "functions/metering/give_back_leases", text: giveBackLeases },
  { name: "functions/metering/lease_operation", text: leaseOperation },
  { name: "functions/metering/read_operation", text: readOperation },
  { name: "functions/metering/read_usage", text: readUsage },
  { name: "functions/metering/settle_operation", text: settleOperation },
  { name: "functions/metering/subscription_report", text: subscriptionReport },
  { name: "functions/metering/sweep_operations", text: sweepOperations },
  { name: "functions/metering/take_operation", text: takeOperation },
  { name: "functions/metering/verify_usage", text: verifyUsage },
  { name: "functions/metering/was_delivered", text: wasDelivered },
  { name: "functions/queues/read_in_turn", text: readInTurn },
  { name: "functions/search/embeddings", text: embeddings },
  { name: "functions/search/index_rows", text: indexRows },
];
