package siemload.database.contract;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** Something healthy of which one method does nothing. */
final class Replacing {
    private Replacing() {}

    /** The same, but that one method does nothing. @param answer what it answers */
    static <T> T method(String name, Optional<?> answer, Class<T> type, T healthy) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals(name)) {
                return answer.orElse(null);
            }
            try {
                return method.invoke(healthy, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
