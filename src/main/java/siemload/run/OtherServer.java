package siemload.run;

import siemload.database.Store;
import siemload.database.Target;
import siemload.database.provision.ProvidedServer;

/**
 * A server beside the first one of a run, with the same data set. Immutable; its parts are not.
 *
 * @param number 2 for the first beside it
 */
record OtherServer(int number, ProvidedServer server, Target target, Store store) {}
