//! Any triangle topology to a triangle list.
use gltf_json::mesh::Mode;

/// Triangles of a list of vertices in `mode`, with their winding kept (glTF 2.0, section 3.7.2.1). Triangles that
/// use a vertex twice cover nothing and are left out.
///
/// The second number is how many vertices at the end make no whole triangle.
pub(super) fn triangles(mode: Mode, vertices: Vec<u32>) -> (Vec<u32>, usize) {
    let count = vertices.len();
    let steps = count.saturating_sub(2);
    match mode {
        Mode::TriangleStrip => {
            // Every other triangle of a strip is turned, so that all face the same way.
            let triangle = |i: usize| [vertices[i], vertices[i + 1 + i % 2], vertices[i + 2 - i % 2]];
            ((0..steps).map(triangle).filter(covers).flatten().collect(), short(count))
        }
        Mode::TriangleFan => {
            let triangle = |i: usize| [vertices[i + 1], vertices[i + 2], vertices[0]];
            ((0..steps).map(triangle).filter(covers).flatten().collect(), short(count))
        }
        _ => {
            let (whole, rest) = vertices.as_chunks::<3>();
            let rest = rest.len();
            if whole.iter().all(covers) {
                let mut vertices = vertices;
                vertices.truncate(count - rest);
                return (vertices, rest);
            }
            (whole.iter().filter(|triangle| covers(triangle)).flatten().copied().collect(), rest)
        }
    }
}

fn short(count: usize) -> usize {
    if count < 3 { count } else { 0 }
}

fn covers(&[a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && a != c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_keep_their_winding() {
        let (list, rest) = triangles(Mode::TriangleStrip, vec![0, 1, 2, 3, 4]);
        assert_eq!(list, [0, 1, 2, 1, 3, 2, 2, 3, 4]);
        assert_eq!(rest, 0);
    }

    #[test]
    fn fans_turn_about_their_first_vertex() {
        assert_eq!(triangles(Mode::TriangleFan, vec![7, 1, 2, 3]).0, [1, 2, 7, 2, 3, 7]);
    }

    #[test]
    fn lists_lose_what_covers_nothing() {
        assert_eq!(triangles(Mode::Triangles, vec![0, 1, 2, 3, 3, 4, 5, 6]), (vec![0, 1, 2], 2));
        assert_eq!(triangles(Mode::Triangles, vec![2, 1, 0]), (vec![2, 1, 0], 0));
        assert_eq!(triangles(Mode::TriangleStrip, vec![0, 1]), (vec![], 2));
    }
}
