package siemload.dataset.learn;

import java.util.Set;

/** The words that IDEA itself defines, which name no person or machine. Stateless. */
final class IdeaWords {
    private static final Set<String> CATEGORIES = Set.of(
            "Abusive",
            "Abusive.Spam",
            "Abusive.Harassment",
            "Abusive.Child",
            "Abusive.Sexual",
            "Abusive.Violence",
            "Malware",
            "Malware.Virus",
            "Malware.Worm",
            "Malware.Trojan",
            "Malware.Spyware",
            "Malware.Dialer",
            "Malware.Rootkit",
            "Recon",
            "Recon.Scanning",
            "Recon.Sniffing",
            "Recon.SocialEngineering",
            "Recon.Searching",
            "Attempt",
            "Attempt.Exploit",
            "Attempt.Login",
            "Attempt.NewSignature",
            "Intrusion",
            "Intrusion.AdminCompromise",
            "Intrusion.UserCompromise",
            "Intrusion.AppCompromise",
            "Intrusion.Botnet",
            "Availability",
            "Availability.DoS",
            "Availability.DDoS",
            "Availability.Sabotage",
            "Availability.Outage",
            "Information",
            "Information.UnauthorizedAccess",
            "Information.UnauthorizedModification",
            "Fraud",
            "Fraud.UnauthorizedUsage",
            "Fraud.Copyright",
            "Fraud.Masquerade",
            "Fraud.Phishing",
            "Fraud.Scam",
            "Vulnerable",
            "Vulnerable.Open",
            "Vulnerable.Config",
            "Anomaly",
            "Anomaly.Traffic",
            "Anomaly.Connection",
            "Anomaly.Protocol",
            "Anomaly.System",
            "Anomaly.Application",
            "Anomaly.Behaviour",
            "Other",
            "Test");
    private static final Set<String> NODE_TYPES = Set.of(
            "Connection",
            "Datagram",
            "Content",
            "Data",
            "File",
            "Flow",
            "Log",
            "Protocol",
            "Host",
            "Network",
            "Correlation",
            "External",
            "Reporting",
            "Blackhole",
            "Signature",
            "Statistical",
            "Heuristic",
            "Integrity",
            "Policy",
            "Honeypot",
            "Tarpit",
            "Recon",
            "Monitor",
            "Relay",
            "Blacklist",
            "Human");
    private static final Set<String> SOURCE_TYPES = Set.of(
            "Proxy",
            "OriginMalware",
            "OriginSandbox",
            "OriginSpam",
            "Phishing",
            "Malware",
            "MITM",
            "Spam",
            "Backscatter",
            "Open",
            "Poisoned",
            "FastFlux",
            "Botnet",
            "CC",
            "Tor",
            "Incomplete");
    private static final Set<String> PROTOCOLS = Set.of(
            "tcp",
            "udp",
            "icmp",
            "icmp6",
            "ipv6-icmp",
            "igmp",
            "gre",
            "esp",
            "ah",
            "sctp",
            "ip",
            "ipv4",
            "ipv6",
            "arp",
            "ssh",
            "telnet",
            "http",
            "https",
            "ftp",
            "ftp-data",
            "smtp",
            "smtps",
            "submission",
            "pop3",
            "pop3s",
            "imap",
            "imaps",
            "domain",
            "dns",
            "ntp",
            "snmp",
            "snmptrap",
            "ssdp",
            "sip",
            "sips",
            "rtp",
            "ldap",
            "ldaps",
            "microsoft-ds",
            "ms-wbt-server",
            "rdp",
            "vnc",
            "rfb",
            "netbios-ns",
            "netbios-dgm",
            "netbios-ssn",
            "epmap",
            "ms-sql-s",
            "ms-sql-m",
            "mysql",
            "redis",
            "tftp",
            "syslog",
            "ssl",
            "tls",
            "quic",
            "mqtt",
            "coap",
            "upnp",
            "smb",
            "cifs",
            "nfs",
            "irc",
            "socks",
            "http-alt",
            "rtsp",
            "memcache");
    private static final Set<String> TYPED_KEYS = Set.of(
            "Category", "Source", "Target", "Node", "Type", "IP4", "IP6", "Port", "Proto", "SW", "Description", "Name");

    private IdeaWords() {}

    static boolean isCategory(String name) {
        return CATEGORIES.contains(name);
    }

    /** Whether IDEA knows the name as a type of a detector or a relay. */
    static boolean isNodeType(String name) {
        return NODE_TYPES.contains(name);
    }

    static boolean isSourceType(String name) {
        return SOURCE_TYPES.contains(name);
    }

    /** Whether the name is that of a well-known protocol or service. */
    static boolean isProtocol(String name) {
        return PROTOCOLS.contains(name);
    }

    /** A key whose values readers understand: what is left under it does not fit. */
    static boolean isTyped(String key) {
        return TYPED_KEYS.contains(key);
    }
}
