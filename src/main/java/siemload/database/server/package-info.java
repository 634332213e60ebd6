/**
 * What databases on servers share that keep the events of all runs in one place, as tables or collections with names, so that one of them is a small package. In goes a {@link
 * siemload.database.server.DatabaseServer} with its {@link siemload.database.server.EventTables}: what one database does in
 * its own words. Out comes a {@link siemload.database.Target} that claims before it makes, keeps a data set only once it is
 * complete, copies it for each run, and drops nothing that siemload did not make. Knows no database.
 */
@NullMarked
package siemload.database.server;

import org.jspecify.annotations.NullMarked;
