/**
 * What databases on servers share that keep the events of all runs in one place, as tables or collections with names, so that one of them is a small package. A database extends {@link
 * siemload.database.server.ServerTarget} with its {@link siemload.database.server.EventTables}: what it does in
 * its own words. Out comes a {@link siemload.database.Target} that claims before it makes, keeps a data set only once it is
 * complete, copies it for each run, and drops nothing that siemload did not make. Knows no database.
 */
@NullMarked
package siemload.database.server;

import org.jspecify.annotations.NullMarked;
