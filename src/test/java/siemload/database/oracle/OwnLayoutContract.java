package siemload.database.oracle;

import siemload.database.contract.CopyContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.SummaryContract;

/** What a layout of one's own must do, on H2 in its Oracle mode. */
interface OwnLayoutContract
        extends SearchContract, PagingContract, SummaryContract, SinkContract, CopyContract, MaintenanceContract {}
