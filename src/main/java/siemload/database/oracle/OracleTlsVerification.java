package siemload.database.oracle;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.Transport.Security;

/** How far the driver verifies the server of an encrypted connection, by the options of the url. */
final class OracleTlsVerification {
    private static final Pattern NAME = Pattern.compile("ssl_server_dn_match\\s*=\\s*(\\w*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SERVICE_IN_ITS_PLACE =
            Pattern.compile("ssl_allow_weak_dn_match\\s*=\\s*(\\w*)", Pattern.CASE_INSENSITIVE);
    private static final Set<String> ON = Set.of("on", "yes", "true");

    private OracleTlsVerification() {}

    /** The driver always verifies the certificate, and the host name unless it is told not to. */
    static Security by(String url) {
        Matcher name = NAME.matcher(url);
        Matcher service = SERVICE_IN_ITS_PLACE.matcher(url);
        boolean named = !name.find() || isOn(name);
        boolean orService = service.find() && isOn(service);
        return named && !orService ? Security.HOST_NAME : Security.CERTIFICATE;
    }

    private static boolean isOn(Matcher option) {
        return ON.contains(option.group(1).toLowerCase(Locale.ROOT));
    }
}
