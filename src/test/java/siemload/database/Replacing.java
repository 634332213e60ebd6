package siemload.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Something of which some methods do something else, and all others what they did. Stateless. */
public final class Replacing {
    private Replacing() {}

    /** What a method does instead; nothing is answered where it has no result. */
    @FunctionalInterface
    public interface Instead<T> {
        @Nullable
        Object call(T whole, Object... arguments);
    }

    /** Does nothing. */
    public static <T> Instead<T> nothing() {
        return (whole, arguments) -> null;
    }

    /** With one other method. */
    public static <T> T method(Class<T> type, T whole, String name, Instead<T> instead) {
        return methods(type, whole, Map.of(name, instead));
    }

    /** With several, by their names. */
    public static <T> T methods(Class<T> type, T whole, Map<String, Instead<T>> others) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Instead<T> instead = others.get(method.getName());
            if (instead != null) {
                return instead.call(whole, Objects.requireNonNullElse(arguments, new Object[0]));
            }
            try {
                return method.invoke(whole, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
